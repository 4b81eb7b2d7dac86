import { contextRead, getContext } from '#lib/brain/context/get-context.ts';
import { contextQuery, contextSchema } from '#lib/brain/schemas/contexts.ts';
import { conditionalHeaders, spacePath } from '#lib/brain/schemas/fields.ts';
import { withCredential } from '#lib/http/middleware/with-credential.ts';
import { COSTS_ONE_READ, TAGGED, UP_TO_DATE } from '#lib/http/openapi/words.ts';
import { conditional } from '#lib/http/responses/conditional.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withCredential(
    {
      id: 'getContext',
      summary: 'Assembler le contexte d’un espace',
      description: `Un seul texte, jamais plus long que \`maxChars\`, identique à l’octet près tant que l’espace ne change pas. Avec \`q\`, il dit d’abord ce qui répond. ${COSTS_ONE_READ}`,
      tag: 'Contexte',
      scope: 'brain:read',
      path: spacePath,
      query: contextQuery,
      headers: conditionalHeaders,
      answers: {
        200: { description: 'Le contexte', schema: contextSchema, headers: TAGGED },
        304: { description: UP_TO_DATE, headers: TAGGED },
      },
      errors: ['pillar_invalid', 'not_found', 'quota_exceeded'],
    },
    {
      read: (now, { path, query, request }) =>
        contextRead(now, {
          spaceId: path.id,
          ...query,
          ifNoneMatch: request.headers.get('if-none-match'),
        }),
      handle: async (ctx, { path, query, read }) => {
        const { etag, json } = await getContext(ctx, { spaceId: path.id, ...query }, read);
        return conditional({ etag, body: json?.bytes ?? null });
      },
    },
  ),
});
