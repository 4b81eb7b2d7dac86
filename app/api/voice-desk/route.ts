import { apiPath } from '#lib/http/callers/with-credential.ts';
import { withMember } from '#lib/http/callers/with-member.ts';
import { withStudio } from '#lib/http/process/studio.ts';
import { voiceServing } from '#lib/http/process/voice-serving.ts';
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
