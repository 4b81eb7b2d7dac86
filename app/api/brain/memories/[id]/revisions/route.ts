import { listRevisions } from '#lib/brain/memories/history.ts';
import { memoryPath } from '#lib/brain/schemas/fields.ts';
import { revisionListSchema, revisionsQuery } from '#lib/brain/schemas/revisions.ts';
import { withMember } from '#lib/http/middleware/with-member.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withMember(
    {
      id: 'listRevisions',
      summary: 'L’histoire d’une mémoire, la plus récente d’abord',
      tag: 'Mémoires',
      dialect: 'brain',
      path: memoryPath,
      query: revisionsQuery,
      answers: { 200: { description: 'Une page de versions', schema: revisionListSchema } },
      errors: ['not_found'],
    },
    async (ctx, { path, query: { before } }) => ({
      body: await listRevisions(ctx, { memoryId: path.id, ...(before === undefined ? {} : { before }) }),
    }),
  ),
});
