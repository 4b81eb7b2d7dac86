import { withStudio } from '#lib/http/studio.ts';
import { voiceServing } from '#lib/http/voice-serving.ts';
import { apiPath } from '#lib/http/with-credential.ts';
import { withMember } from '#lib/http/with-member.ts';
import { readVoiceDesk } from '#lib/studio/voice-desk.ts';

export const dynamic = 'force-dynamic';

export const { GET, POST, PUT, PATCH, DELETE } = apiPath({
  GET: withMember({
    permission: 'generate',
    async handle(ctx, { request }) {
      const body = await readVoiceDesk(withStudio(ctx, request), voiceServing());
      return { body };
    },
  }),
});
