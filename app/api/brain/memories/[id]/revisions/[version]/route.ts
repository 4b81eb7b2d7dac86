import { getRevision } from '#lib/brain/memories/history.ts';
import { revisionPath, revisionSchema } from '#lib/brain/schemas/revisions.ts';
import { withMember } from '#lib/http/middleware/with-member.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withMember(
    {
      id: 'getRevision',
      summary: 'Une version d’une mémoire et la précédente',
      tag: 'Mémoires',
      dialect: 'brain',
      path: revisionPath,
      answers: { 200: { description: 'Les deux versions', schema: revisionSchema } },
      errors: ['not_found'],
    },
    async (ctx, { path }) => ({
      body: await getRevision(ctx, { memoryId: path.id, version: path.version }),
    }),
  ),
});
