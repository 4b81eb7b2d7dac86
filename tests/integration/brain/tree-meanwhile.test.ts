import { expect, it } from 'vitest';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { deleteMemory } from '#lib/brain/memories/delete-memory.ts';
import { moveMemory } from '#lib/brain/memories/move-memory.ts';
import { updateMemory } from '#lib/brain/memories/update-memory.ts';
import { makeAccount, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { oneAcrossAnother } from '#tests/factories/statements/one-across-another.ts';
import { untilBlocked } from '#tests/factories/statements/until-blocked.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 6 });

async function scene(capacityCu?: number) {
  const { account, actor } = await makeAccount(service, capacityCu === undefined ? {} : { capacityCu });
  const space = await makeSpace(service, account.id);
  const ctx = testContext(service, actor);
  const add = async (title: string, parentId: string | null = null) => {
    const { memory } = await addMemory(ctx, {
      spaceId: space.id,
      pillar: 'KNOWLEDGE',
      title,
      body: 'Corps',
      parentId,
      source: 'MANUAL',
      idempotencyKey: null,
    });
    return memory.id;
  };
  const counted = async () => {
    const { usedCu } = await service.db.account.findUniqueOrThrow({ where: { id: account.id } });
    const { cu, memories } = await service.db.space.findUniqueOrThrow({ where: { id: space.id } });
    return { usedCu, cu, memories };
  };
  return { account, space, ctx, add, counted };
}

/** As many bytes as so many CU hold, nearly. */
const long = (cu: number) => 'a'.repeat(cu * 1_024 - 100);

it('of two Memories that are moved under each other in one moment, the first is, and the second would make a circle', async () => {
  const { ctx, add } = await scene();
  const [one, other] = [await add('Une'), await add('Autre')];
  const under = (memoryId: string, parentId: string) => (kysely: typeof service.kysely) =>
    moveMemory({ ...ctx, kysely }, { memoryId, pillar: 'KNOWLEDGE', parentId });
  // The first has looked at both, and is about to write.
  const both = oneAcrossAnother(service, under(one, other), /^update "Space"/, () =>
    under(other, one)(service.kysely),
  );
  expect(await both).toEqual(['done', 'invalid_request']);
  const parents = await service.db.memory.findMany({
    where: { id: { in: [one, other] } },
    select: { id: true, parentId: true },
  });
  expect(Object.fromEntries(parents.map(({ id, parentId }) => [id, parentId]))).toEqual({
    [one]: other,
    [other]: null,
  });
});

it('a Memory that grows while it is deleted waits, and is gone: what it took is given back, no more and no less', async () => {
  const { ctx, add, counted } = await scene();
  const memoryId = await add('Une');
  const grow = () => updateMemory(ctx, { memoryId, expectedVersion: null, title: 'Une', body: long(3) });
  const remove = (kysely: typeof service.kysely) => deleteMemory({ ...ctx, kysely }, { memoryId });
  expect(await oneAcrossAnother(service, remove, /"deletionId"/, grow)).toEqual(['done', 'not_found']);
  expect(await counted()).toEqual({ usedCu: 0, cu: 0, memories: 0 });
});

/** What comes of two who both wait for a row that somebody holds, the first of them before the second. */
async function waiting(
  row: { text: string; values: string[] },
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<string[]> {
  const outcome = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      (error: { code: string }) => error.code,
    );
  const gate = await service.pool.connect();
  try {
    await gate.query('BEGIN');
    await gate.query(row.text, row.values);
    const one = outcome(first());
    await untilBlocked(service);
    const other = outcome(second());
    await untilBlocked(service, 2);
    await gate.query('COMMIT');
    return [await one, await other];
  } finally {
    gate.release();
  }
}

it('of two writers who began with one version, the second is told what it is now, and neither text is lost', async () => {
  const { space, ctx, add } = await scene();
  const memoryId = await add('Une');
  const write = (title: string) => () =>
    updateMemory(ctx, { memoryId, expectedVersion: 1, title, body: 'Corps' });
  const its = { text: 'SELECT 1 FROM "Space" WHERE "id" = $1 FOR UPDATE', values: [space.id] };
  expect(await waiting(its, write('Première'), write('Seconde'))).toEqual(['done', 'conflict']);
  expect(await service.db.memory.findUniqueOrThrow({ where: { id: memoryId } })).toMatchObject({
    title: 'Première',
    version: 2,
  });
});

it('of two Memories that grow in one moment, the one for which the account has no room left stays as it was', async () => {
  const { account, ctx, add, counted } = await scene(4);
  const one = await add('Une');
  const elsewhere = await makeSpace(service, account.id);
  const { memory: other } = await addMemory(ctx, {
    spaceId: elsewhere.id,
    pillar: 'KNOWLEDGE',
    title: 'Autre',
    body: 'Corps',
    parentId: null,
    source: 'MANUAL',
    idempotencyKey: null,
  });
  const grow = (memoryId: string) => () =>
    updateMemory(ctx, { memoryId, expectedVersion: 1, title: 'Grande', body: long(3) });
  const its = { text: 'SELECT 1 FROM "Account" WHERE "id" = $1 FOR UPDATE', values: [account.id] };
  expect(await waiting(its, grow(one), grow(other.id))).toEqual(['done', 'capacity_full']);
  expect(await counted()).toEqual({ usedCu: 4, cu: 3, memories: 1 });
  expect(await service.db.memory.findUniqueOrThrow({ where: { id: other.id } })).toMatchObject({
    title: 'Autre',
    version: 1,
    cu: 1,
  });
});
