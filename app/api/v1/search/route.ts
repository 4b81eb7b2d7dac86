import { searchQuery, searchSchema } from '#lib/brain/schemas/search.ts';
import { searchAsJson, searchRead } from '#lib/brain/search/search-memories.ts';
import { withCredential } from '#lib/http/middleware/with-credential.ts';
import { COSTS_ONE_READ } from '#lib/http/openapi/words.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withCredential(
    {
      id: 'search',
      summary: 'Chercher dans les mémoires',
      description: `Sans distinction de casse ni d’accents, dans les titres et les textes\u00a0; les meilleurs résultats d’abord. ${COSTS_ONE_READ}`,
      tag: 'Recherche',
      scope: 'brain:read',
      query: searchQuery,
      answers: { 200: { description: 'Les résultats', schema: searchSchema } },
      errors: ['pillar_invalid', 'not_found', 'quota_exceeded'],
    },
    {
      read: (now, { query }) => searchRead(now, query),
      handle: async (ctx, { query, read }) => ({ body: await searchAsJson(ctx, query, read) }),
    },
  ),
});
