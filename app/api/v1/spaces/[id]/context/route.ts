import { getContext } from '#lib/brain/get-context.ts';
import { contextQuery } from '#lib/brain/schemas.ts';
import { conditional } from '#lib/http/conditional.ts';
import { apiPath, withCredential } from '#lib/http/with-credential.ts';

export const { GET, POST, PUT, PATCH, DELETE } = apiPath({
  GET: withCredential({
    scope: 'brain:read',
    query: contextQuery,
    handle: async (ctx, { path, query, request }) => {
      const { etag, json } = await getContext(ctx, {
        spaceId: path.id ?? '',
        ...query,
        ifNoneMatch: request.headers.get('if-none-match'),
      });
      return conditional({ etag, body: json?.bytes ?? null });
    },
  }),
});
