import { quotaRead } from '#lib/brain/quota/get-quota.ts';
import { noQuery } from '#lib/brain/schemas.ts';
import { apiPath, withCredential } from '#lib/http/middleware/with-credential.ts';

export const { GET, POST, PUT, PATCH, DELETE } = apiPath({
  GET: withCredential({
    scope: 'brain:read',
    query: noQuery,
    read: quotaRead,
    handle: (_ctx, { read }) => ({ body: read }),
  }),
});
