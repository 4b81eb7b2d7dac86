import { memoryRead } from '#lib/brain/memories/read-memory.ts';
import { memoryPath, noQuery } from '#lib/brain/schemas/fields.ts';
import { memoryWithNeighboursSchema } from '#lib/brain/schemas/memories.ts';
import { withCredential } from '#lib/http/middleware/with-credential.ts';
import { COSTS_ONE_READ } from '#lib/http/openapi/words.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withCredential(
    {
      id: 'getMemory',
      summary: 'Lire une mémoire entière',
      description: `Son texte entier, la mémoire sous laquelle elle est rangée et celles qu’elle contient. ${COSTS_ONE_READ}`,
      tag: 'Mémoires',
      scope: 'brain:read',
      path: memoryPath,
      query: noQuery,
      answers: { 200: { description: 'La mémoire', schema: memoryWithNeighboursSchema } },
      errors: ['not_found', 'quota_exceeded'],
    },
    {
      read: (now, { path }) => memoryRead(now, { memoryId: path.id }),
      handle: (_ctx, { read }) => ({ body: read }),
    },
  ),
});
