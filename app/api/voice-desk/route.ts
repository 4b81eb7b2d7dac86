import { apiPath } from '#lib/http/middleware/with-credential.ts';
import { withMember } from '#lib/http/middleware/with-member.ts';
import { withStudio } from '#lib/http/runtime/studio.ts';
import { voiceServing } from '#lib/http/runtime/voice-serving.ts';
import { readVoiceDesk } from '#lib/studio/voices/voice-desk.ts';

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
