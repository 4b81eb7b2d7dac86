import { withMember } from '#lib/http/middleware/with-member.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { withStudio } from '#lib/http/runtime/studio.ts';
import { voiceServing } from '#lib/http/runtime/voice-serving.ts';
import { voiceDeskSchema } from '#lib/studio/schemas.ts';
import { readVoiceDesk } from '#lib/studio/voices/voice-desk.ts';

export const dynamic = 'force-dynamic';
export const maxDuration = 60;

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withMember(
    {
      id: 'readVoiceDesk',
      summary: 'Les voix et leur quota',
      tag: 'Voix',
      dialect: 'studio',
      scope: 'studio:read',
      permission: 'generate',
      answers: {
        200: { description: 'Ce qui est prêt, la bibliothèque, le quota', schema: voiceDeskSchema },
      },
    },
    async (ctx, { request }) => ({ body: await readVoiceDesk(withStudio(ctx, request), voiceServing()) }),
  ),
});
