import { listProjects } from '#lib/brain/projects/list-projects.ts';
import { noQuery } from '#lib/brain/schemas.ts';
import { apiPath, withCredential } from '#lib/http/middleware/with-credential.ts';

export const { GET, POST, PUT, PATCH, DELETE } = apiPath({
  GET: withCredential({
    scope: 'projects:read',
    query: noQuery,
    handle: async (ctx) => ({ body: await listProjects(ctx) }),
  }),
});
