import { searchQuery } from '#lib/brain/schemas.ts';
import { searchMemories } from '#lib/brain/search/search-memories.ts';
import { apiPath, withCredential } from '#lib/http/middleware/with-credential.ts';

export const { GET, POST, PUT, PATCH, DELETE } = apiPath({
  GET: withCredential({
    scope: 'brain:read',
    query: searchQuery,
    handle: async (ctx, { query }) => ({ body: await searchMemories(ctx, query) }),
  }),
});
