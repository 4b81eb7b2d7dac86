import { getMemory } from '#lib/brain/queries/get-memory.ts';
import { memoryPath } from '#lib/brain/schemas/fields.ts';
import { memoryDetailSchema } from '#lib/brain/schemas/memories.ts';
import { withMember } from '#lib/http/middleware/with-member.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withMember(
    {
      id: 'getMemoryDetail',
      summary: 'Une mémoire en entier',
      tag: 'Mémoires',
      dialect: 'brain',
      path: memoryPath,
      answers: { 200: { description: 'La mémoire', schema: memoryDetailSchema } },
      errors: ['not_found'],
    },
    async (ctx, { path }) => ({ body: await getMemory(ctx, { memoryId: path.id }) }),
  ),
});
