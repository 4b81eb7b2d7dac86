import { expect, it } from 'vitest';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { deleteMemory } from '#lib/brain/memories/delete-memory.ts';
import { moveMemory } from '#lib/brain/memories/move-memory.ts';
import { proposeMemory } from '#lib/brain/proposals/propose-memory.ts';
import { purgeProposals } from '#lib/brain/proposals/purge-proposals.ts';
import { makeAccount, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { untilBlocked } from '#tests/factories/statements/until-blocked.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 6 });

it('an addition sent twice waits for whoever moves what the first one wrote, and neither waits for the other crosswise', async () => {
  const { account, actor } = await makeAccount(service);
  const space = await makeSpace(service, account.id);
  const ctx = testContext(service, actor);
  const input = {
    spaceId: space.id,
    pillar: 'KNOWLEDGE',
    title: 'Une idée',
    body: 'Corps',
    parentId: null,
    source: 'API',
    idempotencyKey: 'k',
  } as const;
  const looked = Promise.withResolvers<void>();
  const moving = Promise.withResolvers<void>();
  // Nobody had the key when the second one looked; it writes while what the first one wrote is being moved.
  const late = interceptedQueries(service.connection.pool, {
    before: ({ label }) => {
      if (label !== 'insert-memory') return;
      looked.resolve();
      return moving.promise;
    },
  });
  const second = addMemory({ ...ctx, kysely: late }, input);
  await looked.promise;
  const { memory } = await addMemory(ctx, input);
  const slow = interceptedQueries(service.connection.pool, {
    after: ({ label }) => {
      if (label !== 'move-memory') return;
      moving.resolve();
      return untilBlocked(service);
    },
  });
  const [moved, again] = await Promise.all([
    moveMemory({ ...ctx, kysely: slow }, { memoryId: memory.id, pillar: 'GUIDELINES', parentId: null }),
    second,
  ]);
  expect([moved.moved, again.replayed, again.memory.id]).toEqual([1, true, memory.id]);
});

it('an addition under a Memory that is being deleted waits, and is refused: nothing lives under what is gone', async () => {
  const { account, actor } = await makeAccount(service);
  const space = await makeSpace(service, account.id);
  const ctx = testContext(service, actor);
  const add = (parentId: string | null) =>
    addMemory(ctx, {
      spaceId: space.id,
      pillar: 'KNOWLEDGE',
      title: 'Une idée',
      body: 'Corps',
      parentId,
      source: 'MANUAL',
      idempotencyKey: null,
    });
  const { memory } = await add(null);
  const deleting = Promise.withResolvers<void>();
  const slow = interceptedQueries(service.connection.pool, {
    after: ({ label }) => {
      if (label !== 'delete-memories') return;
      deleting.resolve();
      return untilBlocked(service);
    },
  });
  const deletion = deleteMemory({ ...ctx, kysely: slow }, { memoryId: memory.id });
  await deleting.promise;
  await expect(add(memory.id)).rejects.toMatchObject({
    code: 'not_found',
    options: { problems: [{ field: 'parentId' }] },
  });
  expect(await deletion).toMatchObject({ deleted: 1 });
  expect(await service.db.memory.count({ where: { spaceId: space.id, deletedAt: null } })).toBe(0);
});

it('a night that purges proposals waits for nobody: one that somebody holds stays for another', async () => {
  const { account, actor } = await makeAccount(service);
  const space = await makeSpace(service, account.id);
  const ctx = testContext(service, actor);
  const propose = (title: string) =>
    proposeMemory(ctx, {
      place: { spaceId: space.id, pillar: 'GUIDELINES' },
      title,
      body: 'Nous vouvoyons.',
      note: null,
    });
  const held = await propose('Ton');
  await propose('Voix');
  const clock = { now: () => new Date(held.expiresAt.getTime() + 86_400_000) };
  const client = await service.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM "MemoryProposal" WHERE id = $1 FOR UPDATE', [held.id]);
    const night = testContext(service, { type: 'system', job: 'retention' } as const, { clock });
    expect(await purgeProposals(night)).toBe(1);
    await client.query('ROLLBACK');
  } finally {
    client.release();
  }
  const left = await service.db.memoryProposal.findMany({ where: { accountId: account.id } });
  expect(left.map(({ id }) => id)).toEqual([held.id]);
});
