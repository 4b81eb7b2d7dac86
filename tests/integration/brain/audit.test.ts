import { context, trace } from '@opentelemetry/api';
import { afterEach, expect, test } from 'vitest';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { deleteMemory } from '#lib/brain/memories/delete-memory.ts';
import { restoreRevision } from '#lib/brain/memories/history.ts';
import { moveMemory } from '#lib/brain/memories/move-memory.ts';
import { undoDelete } from '#lib/brain/memories/undo-delete.ts';
import { updateMemory } from '#lib/brain/memories/update-memory.ts';
import { makeAccount, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { useTestService } from '#tests/setup/service.ts';
import { spanOf, useContextManager } from '#tests/setup/traces/context-manager.ts';

const service = useTestService();
afterEach(() => context.disable());

test('every change of a Memory leaves one audit entry with the trace and the request that made it', async () => {
  const { account, actor } = await makeAccount(service);
  const space = await makeSpace(service, account.id);
  const ctx = testContext(service, actor);
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  useContextManager();
  const traced = <T>(work: () => Promise<T>): Promise<T> =>
    context.with(trace.setSpan(context.active(), spanOf(traceId)), work);

  const add = async (pillar: 'KNOWLEDGE' | 'ITEMS', title: string) => {
    const { memory } = await addMemory(ctx, {
      spaceId: space.id,
      pillar,
      title,
      body: 'Garantie deux ans.',
      parentId: null,
      source: 'MANUAL',
      idempotencyKey: null,
    });
    return memory.id;
  };
  const under = await add('ITEMS', 'Luminaires');
  const memoryId = await traced(async () => {
    const memoryId = await add('KNOWLEDGE', 'Lampe');
    await updateMemory(ctx, { memoryId, expectedVersion: 1, title: 'Lampe', body: 'Garantie cinq ans.' });
    await restoreRevision(ctx, { memoryId, version: 1, expectedVersion: 2 });
    await moveMemory(ctx, { memoryId, pillar: 'ITEMS', parentId: under });
    const { deletionId } = await deleteMemory(ctx, { memoryId });
    await undoDelete(ctx, { deletionId });
    return memoryId;
  });

  const entries = await service.db.auditEntry.findMany({
    where: { accountId: account.id, subjectId: memoryId },
    orderBy: { id: 'asc' },
  });
  expect(entries.map(({ action }) => action)).toEqual([
    'memory.added',
    'memory.updated',
    'memory.restored',
    'memory.moved',
    'memory.deleted',
    'memory.undeleted',
  ]);
  for (const entry of entries) {
    expect(entry).toMatchObject({ traceId, requestId: ctx.requestId, subjectType: 'memory' });
    expect(entry.data).toMatchObject({ spaceId: space.id });
  }
  expect(entries[1]?.data).toEqual({ spaceId: space.id, version: 2, cu: 1 });
  // What each took or gave back, and of how many, tells whoever adds them up what is used.
  expect(entries[0]?.data).toMatchObject({ pillar: 'KNOWLEDGE', source: 'MANUAL', cu: 1 });
  expect(entries[4]?.data).toMatchObject({ memories: 1, cu: 1 });
  expect(entries[5]?.data).toMatchObject({ memories: 1, cu: 1 });
  expect(entries[3]?.data).toEqual({
    spaceId: space.id,
    from: { pillar: 'KNOWLEDGE', parentId: null },
    to: { pillar: 'ITEMS', parentId: under },
  });
});

test('a deletion and its undoing are audited with how many Memories they took along, and their size', async () => {
  const { account, actor } = await makeAccount(service);
  const space = await makeSpace(service, account.id);
  const ctx = testContext(service, actor);
  const add = async (body: string, parentId: string | null) => {
    const { memory } = await addMemory(ctx, {
      spaceId: space.id,
      pillar: 'ITEMS',
      title: 'Lampe',
      body,
      parentId,
      source: 'MANUAL',
      idempotencyKey: null,
    });
    return memory.id;
  };
  const memoryId = await add('Laiton.', null);
  await add('x'.repeat(2_000), memoryId);
  const { deletionId } = await deleteMemory(ctx, { memoryId });
  await undoDelete(ctx, { deletionId });
  const entries = await service.db.auditEntry.findMany({
    where: { accountId: account.id, action: { in: ['memory.deleted', 'memory.undeleted'] } },
  });
  const data = { spaceId: space.id, deletionId, memories: 2, cu: 3 };
  expect(entries.map((entry) => entry.data)).toEqual([data, data]);
});
