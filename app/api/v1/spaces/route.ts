import { noQuery } from '#lib/brain/schemas.ts';
import { spacesRead } from '#lib/brain/spaces/list-spaces.ts';
import { apiPath, withCredential } from '#lib/http/middleware/with-credential.ts';

export const { GET, POST, PUT, PATCH, DELETE } = apiPath({
  GET: withCredential({
    scope: 'brain:read',
    query: noQuery,
    read: spacesRead,
    handle: (_ctx, { read }) => ({ body: read }),
  }),
});
