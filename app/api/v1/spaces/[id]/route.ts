import { conditionalHeaders, noQuery, spacePath } from '#lib/brain/schemas/fields.ts';
import { spaceSchema } from '#lib/brain/schemas/spaces.ts';
import { getSpace, spaceViewRead } from '#lib/brain/spaces/get-space.ts';
import { withCredential } from '#lib/http/middleware/with-credential.ts';
import { COSTS_ONE_READ, TAGGED, UP_TO_DATE } from '#lib/http/openapi/words.ts';
import { conditional } from '#lib/http/responses/conditional.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withCredential(
    {
      id: 'getSpace',
      summary: 'Lire un espace en entier',
      description: `Les cinq piliers dans l’ordre des rôles, leurs mémoires, les CU et la qualité. ${COSTS_ONE_READ}`,
      tag: 'Espaces',
      scope: 'brain:read',
      path: spacePath,
      query: noQuery,
      headers: conditionalHeaders,
      answers: {
        200: { description: 'L’espace', schema: spaceSchema, headers: TAGGED },
        304: { description: UP_TO_DATE, headers: TAGGED },
      },
      errors: ['not_found', 'quota_exceeded'],
    },
    {
      read: (now, { path, request }) =>
        spaceViewRead(now, { spaceId: path.id, ifNoneMatch: request.headers.get('if-none-match') }),
      handle: async (ctx, { path, read }) => conditional(await getSpace(ctx, { spaceId: path.id }, read)),
    },
  ),
});
