import { withMember } from '#lib/http/middleware/with-member.ts';
import { privateFile } from '#lib/http/responses/private-file.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { withStudio } from '#lib/http/runtime/studio.ts';
import { voiceServing } from '#lib/http/runtime/voice-serving.ts';
import { voicePath } from '#lib/studio/schemas.ts';
import { readVoicePreview } from '#lib/studio/voices/voice-preview.ts';

export const dynamic = 'force-dynamic';
export const maxDuration = 60;

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withMember(
    {
      id: 'readVoicePreview',
      summary: 'L’extrait d’une voix',
      tag: 'Voix',
      dialect: 'studio',
      scope: 'studio:read',
      permission: 'generate',
      path: voicePath,
      answers: { 200: { description: 'L’extrait', contentType: 'audio/mpeg' } },
      errors: ['not_found', 'provider-failure'],
    },
    async (ctx, { path, request }) => {
      const { bytes, contentType } = await readVoicePreview(
        withStudio(ctx, request),
        voiceServing(),
        path.voiceId,
      );
      return privateFile(bytes, { contentType, maxAgeSeconds: 600 });
    },
  ),
});
