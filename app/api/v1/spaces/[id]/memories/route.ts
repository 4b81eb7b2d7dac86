import { MAX_MEMORY_REQUEST_BYTES } from '#lib/brain/limits.ts';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { viewMemory } from '#lib/brain/memories/view-memory.ts';
import { addMemoryBody, idempotencyHeaders, noQuery } from '#lib/brain/schemas.ts';
import { apiPath, withCredential } from '#lib/http/middleware/with-credential.ts';

export const { GET, POST, PUT, PATCH, DELETE } = apiPath({
  POST: withCredential({
    scope: 'brain:write',
    isWrite: true,
    query: noQuery,
    headers: idempotencyHeaders,
    body: { schema: addMemoryBody, maxBytes: MAX_MEMORY_REQUEST_BYTES },
    handle: async (ctx, { path, headers, body }) => {
      const { memory, replayed } = await addMemory(ctx, {
        ...body,
        spaceId: path.id ?? '',
        source: 'API',
        idempotencyKey: headers['idempotency-key'],
      });
      return replayed
        ? { status: 200, body: viewMemory(memory), headers: { 'Idempotent-Replayed': 'true' } }
        : { status: 201, body: viewMemory(memory) };
    },
  }),
});
