import { conditionalHeaders, noQuery } from '#lib/brain/schemas/fields.ts';
import { withCredential } from '#lib/http/middleware/with-credential.ts';
import { TAGGED, UP_TO_DATE_COPY } from '#lib/http/openapi/words.ts';
import { conditionalOn } from '#lib/http/responses/conditional.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { fileIdPath, fileSchema, readFile } from '#lib/storage/assets/list-files.ts';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withCredential(
    {
      id: 'getFile',
      summary: 'Lire ce qu’est un fichier',
      description: 'Son type, sa taille, ses dimensions. Ne coûte aucune lecture du quota.',
      tag: 'Studio',
      scope: 'studio:read',
      permission: 'generate',
      dialect: 'studio',
      path: fileIdPath,
      query: noQuery,
      headers: conditionalHeaders,
      answers: {
        200: { description: 'Le fichier', schema: fileSchema, headers: TAGGED },
        304: { description: UP_TO_DATE_COPY, headers: TAGGED },
      },
      errors: ['not_found'],
    },
    {
      handle: async (ctx, { path, request }) => conditionalOn(request, (await readFile(ctx, path)).view),
    },
  ),
});
