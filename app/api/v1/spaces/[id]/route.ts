import { noQuery } from '#lib/brain/schemas.ts';
import { getSpace, spaceViewRead } from '#lib/brain/spaces/get-space.ts';
import { apiPath, withCredential } from '#lib/http/middleware/with-credential.ts';
import { conditional } from '#lib/http/responses/conditional.ts';

export const { GET, POST, PUT, PATCH, DELETE } = apiPath({
  GET: withCredential({
    scope: 'brain:read',
    query: noQuery,
    read: (now, { path, request }) =>
      spaceViewRead(now, { spaceId: path.id ?? '', ifNoneMatch: request.headers.get('if-none-match') }),
    handle: async (ctx, { path, read }) => conditional(await getSpace(ctx, { spaceId: path.id ?? '' }, read)),
  }),
});
