import { withMember } from '#lib/http/middleware/with-member.ts';
import { generationAnswer } from '#lib/http/responses/generation-answer.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { withStudio } from '#lib/http/runtime/studio.ts';
import { journalQuery, listGenerations } from '#lib/studio/journal/list-generations.ts';
import { generationRequest } from '#lib/studio/request.ts';
import {
  generationAnswers,
  generationErrors,
  generationHeaders,
  journalSchema,
  MAX_STUDIO_REQUEST_BYTES,
} from '#lib/studio/schemas.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { traceRefused } from '#lib/studio/telemetry.ts';

export const dynamic = 'force-dynamic';
export const maxDuration = 300;

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withMember(
    {
      id: 'listGenerations',
      summary: 'Lire le journal',
      description:
        'La plus récente d’abord. Les filtres se combinent\u00a0; `cursor` est le `nextCursor` de la page d’avant.',
      tag: 'Générations',
      dialect: 'studio',
      scope: 'studio:read',
      permission: 'generate',
      query: journalQuery,
      answers: { 200: { description: 'Une page du journal', schema: journalSchema } },
    },
    async (ctx, { query, request }) => ({ body: await listGenerations(withStudio(ctx, request), query) }),
  ),
  POST: withMember(
    {
      id: 'createGeneration',
      summary: 'Demander une génération',
      description:
        'Un montant est retenu, puis débité au coût mesuré, ou rendu. Une image est livrée dans la réponse\u00a0; une vidéo et un rendu se relisent.',
      tag: 'Générations',
      dialect: 'studio',
      scope: 'studio:generate',
      permission: 'generate',
      headers: generationHeaders,
      body: { type: 'json', schema: generationRequest, maxBytes: MAX_STUDIO_REQUEST_BYTES },
      answers: generationAnswers,
      errors: generationErrors,
      onRefused: traceRefused,
    },
    async (ctx, { headers, body, request }) => {
      const submitted = await submitGeneration(withStudio(ctx, request), {
        request: body,
        idempotencyKey: headers['idempotency-key'],
      });
      return generationAnswer(ctx, submitted);
    },
  ),
});
