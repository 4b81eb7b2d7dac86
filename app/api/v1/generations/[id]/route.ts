import { conditionalHeaders, noQuery } from '#lib/brain/schemas/fields.ts';
import { withCredential } from '#lib/http/middleware/with-credential.ts';
import { TAGGED, UP_TO_DATE_COPY } from '#lib/http/openapi/words.ts';
import { conditionalOn } from '#lib/http/responses/conditional.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { withStudio } from '#lib/http/runtime/studio.ts';
import { getGeneration } from '#lib/studio/journal/get-generation.ts';
import { generationPath, generationSchema } from '#lib/studio/schemas.ts';

export const dynamic = 'force-dynamic';
export const maxDuration = 300;

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withCredential(
    {
      id: 'getStudioGeneration',
      summary: 'Lire une génération',
      description:
        'Pour une vidéo en cours, demande aussi où elle en est\u00a0: la consulter peut la clore. Ne coûte aucune lecture du quota.',
      tag: 'Studio',
      scope: 'studio:read',
      permission: 'generate',
      dialect: 'studio',
      path: generationPath,
      query: noQuery,
      headers: conditionalHeaders,
      answers: {
        200: { description: 'La génération', schema: generationSchema, headers: TAGGED },
        304: { description: UP_TO_DATE_COPY, headers: TAGGED },
      },
      errors: ['not_found'],
    },
    {
      handle: async (ctx, { path, request }) =>
        conditionalOn(request, await getGeneration(withStudio(ctx, request), { generationId: path.id })),
    },
  ),
});
