import { conditionalHeaders } from '#lib/brain/schemas/fields.ts';
import { withCredential } from '#lib/http/middleware/with-credential.ts';
import { TAGGED, UP_TO_DATE_COPY } from '#lib/http/openapi/words.ts';
import { conditionalOn } from '#lib/http/responses/conditional.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { fileListSchema, filesQuery, listFiles } from '#lib/storage/assets/list-files.ts';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withCredential(
    {
      id: 'listFiles',
      summary: 'Lister les fichiers du Studio',
      description:
        'Ce que les générations du compte ont laissé et qui se lit encore, le plus récent d’abord. Ne coûte aucune lecture du quota.',
      tag: 'Studio',
      scope: 'studio:read',
      permission: 'generate',
      dialect: 'studio',
      query: filesQuery,
      headers: conditionalHeaders,
      answers: {
        200: { description: 'Une page de fichiers', schema: fileListSchema, headers: TAGGED },
        304: { description: UP_TO_DATE_COPY, headers: TAGGED },
      },
    },
    { handle: async (ctx, { query, request }) => conditionalOn(request, await listFiles(ctx, query)) },
  ),
});
