import { withMember } from '#lib/http/middleware/with-member.ts';
import { READ_AFTER } from '#lib/http/responses/generation-answer.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { withStudio } from '#lib/http/runtime/studio.ts';
import { listSent } from '#lib/studio/journal/list-sent.ts';
import { viewRows } from '#lib/studio/journal/view-rows.ts';
import {
  generationErrors,
  MAX_STUDIO_REQUEST_BYTES,
  readAfterHeader,
  replayedHeader,
} from '#lib/studio/schemas.ts';
import { submitVariants } from '#lib/studio/submission/submit-variants.ts';
import { traceRefused } from '#lib/studio/telemetry.ts';
import { sentQuery, variantsBody, variantsHeaders, variantsSchema } from '#lib/studio/variants-schemas.ts';

export const dynamic = 'force-dynamic';
export const maxDuration = 300;

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withMember(
    {
      id: 'listSentGenerations',
      summary: 'Ce qu’une demande est devenue',
      description: 'Les générations faites sous cette clé\u00a0; aucune si la demande n’est jamais arrivée.',
      tag: 'Générations',
      dialect: 'studio',
      permission: 'generate',
      query: sentQuery,
      answers: { 200: { description: 'Ses générations', schema: variantsSchema } },
    },
    async (ctx, { query, request }) => ({
      body: { generations: await listSent(withStudio(ctx, request), { idempotencyKey: query.key }) },
    }),
  ),
  POST: withMember(
    {
      id: 'createVariants',
      summary: 'Demander plusieurs fois la même génération',
      description:
        'Chacune a sa ligne, son montant retenu et son débit. Tous les montants sont retenus ensemble, ou aucun ne l’est.',
      tag: 'Générations',
      dialect: 'studio',
      permission: 'generate',
      headers: variantsHeaders,
      body: { type: 'json', schema: variantsBody, maxBytes: MAX_STUDIO_REQUEST_BYTES },
      answers: {
        201: { description: 'Les générations, terminées', schema: variantsSchema },
        202: {
          description: 'Les générations, dont une au moins est en cours',
          schema: variantsSchema,
          headers: readAfterHeader,
        },
        200: {
          description: 'Celles déjà demandées sous cette clé (`Idempotent-Replayed: true`)',
          schema: variantsSchema,
          headers: replayedHeader,
        },
      },
      errors: generationErrors,
      onRefused: traceRefused,
    },
    async (ctx, { headers, body, request }) => {
      const { rows, isReplayed } = await submitVariants(withStudio(ctx, request), {
        ...body,
        idempotencyKey: headers['idempotency-key'],
      });
      const generations = await viewRows(ctx, rows);
      if (isReplayed)
        return { status: 200, body: { generations }, headers: { 'Idempotent-Replayed': 'true' } };
      return generations.some(({ status }) => status === 'running')
        ? { status: 202, body: { generations }, headers: READ_AFTER }
        : { status: 201, body: { generations } };
    },
  ),
});
