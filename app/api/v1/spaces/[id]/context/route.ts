import { contextRead } from '#lib/brain/context/get-context.ts';
import { contextQuery } from '#lib/brain/schemas.ts';
import { apiPath, withCredential } from '#lib/http/middleware/with-credential.ts';
import { conditional } from '#lib/http/responses/conditional.ts';

export const { GET, POST, PUT, PATCH, DELETE } = apiPath({
  GET: withCredential({
    scope: 'brain:read',
    query: contextQuery,
    read: (now, { path, query, request }) =>
      contextRead(now, {
        spaceId: path.id ?? '',
        ...query,
        ifNoneMatch: request.headers.get('if-none-match'),
      }),
    handle: (_ctx, { read: { etag, json } }) => conditional({ etag, body: json?.bytes ?? null }),
  }),
});
