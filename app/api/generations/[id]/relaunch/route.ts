import { withMember } from '#lib/http/middleware/with-member.ts';
import { generationAnswer } from '#lib/http/responses/generation-answer.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { withStudio } from '#lib/http/runtime/studio.ts';
import { relaunchGeneration } from '#lib/studio/journal/relaunch-generation.ts';
import { generationErrors, generationHeaders, generationPath, relaunchAnswers } from '#lib/studio/schemas.ts';

export const dynamic = 'force-dynamic';
export const maxDuration = 300;

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  POST: withMember(
    {
      id: 'relaunchGeneration',
      summary: 'Relancer un rendu qui n’a pas abouti',
      description: 'Une nouvelle génération, avec la même demande\u00a0; l’ancienne ne change pas.',
      tag: 'Générations',
      dialect: 'studio',
      scope: 'studio:generate',
      permission: 'generate',
      path: generationPath,
      headers: generationHeaders,
      answers: relaunchAnswers,
      errors: generationErrors,
    },
    async (ctx, { path, headers, request }) => {
      const submitted = await relaunchGeneration(withStudio(ctx, request), {
        generationId: path.id,
        idempotencyKey: headers['idempotency-key'],
      });
      return generationAnswer(ctx, submitted);
    },
  ),
});
