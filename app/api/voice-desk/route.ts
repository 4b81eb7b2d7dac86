import { env } from '#lib/core/env.ts';
import { withStudio } from '#lib/http/studio.ts';
import { apiPath } from '#lib/http/with-credential.ts';
import { withMember } from '#lib/http/with-member.ts';
import { readVoiceDesk } from '#lib/studio/voice-desk.ts';

export const dynamic = 'force-dynamic';

export const { GET, POST, PUT, PATCH, DELETE } = apiPath({
  GET: withMember({
    permission: 'generate',
    async handle(ctx, { request }) {
      const { isProduction, liveProviders, ELEVENLABS_API_KEY } = env();
      const isLive = liveProviders.has('elevenlabs');
      const body = await readVoiceDesk(withStudio(ctx, request), {
        served: isLive || !isProduction,
        apiKey: isLive ? ELEVENLABS_API_KEY : null,
      });
      return { body };
    },
  }),
});
