import { conditionalHeaders, noQuery } from '#lib/brain/schemas/fields.ts';
import { withCredential } from '#lib/http/middleware/with-credential.ts';
import { TAGGED, UP_TO_DATE_COPY } from '#lib/http/openapi/words.ts';
import { conditionalOn } from '#lib/http/responses/conditional.ts';
import { generationAnswer } from '#lib/http/responses/generation-answer.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { withStudio } from '#lib/http/runtime/studio.ts';
import { journalQuery, listGenerations } from '#lib/studio/journal/list-generations.ts';
import { generationRequest } from '#lib/studio/request.ts';
import {
  generationAnswers,
  generationErrors,
  generationListSchema,
  MAX_STUDIO_REQUEST_BYTES,
  requiredGenerationHeaders,
} from '#lib/studio/schemas.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { traceRefused } from '#lib/studio/telemetry.ts';

export const dynamic = 'force-dynamic';
export const maxDuration = 300;

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withCredential(
    {
      id: 'listStudioGenerations',
      summary: 'Lire le journal du Studio',
      description:
        'La plus récente d’abord. Les filtres se combinent\u00a0; `cursor` est le `nextCursor` de la page d’avant. Ne coûte aucune lecture du quota.',
      tag: 'Studio',
      scope: 'studio:read',
      permission: 'generate',
      dialect: 'studio',
      query: journalQuery,
      headers: conditionalHeaders,
      answers: {
        200: { description: 'Une page du journal', schema: generationListSchema, headers: TAGGED },
        304: { description: UP_TO_DATE_COPY, headers: TAGGED },
      },
    },
    {
      handle: async (ctx, { query, request }) => {
        const { generations, nextCursor } = await listGenerations(withStudio(ctx, request), query);
        return conditionalOn(request, { object: 'list', data: generations, nextCursor });
      },
    },
  ),
  POST: withCredential(
    {
      id: 'createStudioGeneration',
      summary: 'Demander une génération',
      description:
        'Un montant est retenu, puis débité au coût mesuré, ou rendu, dans le plafond par mois de la clé ou de l’application. Une image est livrée dans la réponse\u00a0; une vidéo et un rendu se relisent. La même clé d’idempotence avec la même demande rend la même génération (200, `Idempotent-Replayed: true`) et ne débite qu’une fois.',
      tag: 'Studio',
      scope: 'studio:generate',
      permission: 'generate',
      dialect: 'studio',
      isWrite: true,
      query: noQuery,
      headers: requiredGenerationHeaders,
      body: { type: 'json', schema: generationRequest, maxBytes: MAX_STUDIO_REQUEST_BYTES },
      answers: generationAnswers,
      errors: generationErrors,
      onRefused: traceRefused,
    },
    {
      handle: async (ctx, { headers, body, request }) => {
        const submitted = await submitGeneration(withStudio(ctx, request), {
          request: body,
          idempotencyKey: headers['idempotency-key'],
        });
        return generationAnswer(ctx, submitted);
      },
    },
  ),
});
