import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MAX_MEMORY_DEPTH } from '#lib/brain/limits.ts';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { deleteMemory } from '#lib/brain/memories/delete-memory.ts';
import { listRevisions, restoreRevision } from '#lib/brain/memories/history.ts';
import { moveMemory } from '#lib/brain/memories/move-memory.ts';
import { undoDelete } from '#lib/brain/memories/undo-delete.ts';
import { updateMemory } from '#lib/brain/memories/update-memory.ts';
import { PILLAR_ROLES, type PillarRole } from '#lib/brain/templates.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { makeAccount, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { type TestService, useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 8 });

type Row = {
  id: string;
  spaceId: string;
  role: PillarRole;
  parentId: string | null;
  depth: number;
  cu: number;
  version: number;
};

/** Everything that is wrong with one account's Brain; empty when its books and its trees are sound. */
async function faults({ pool }: TestService, accountId: string): Promise<string[]> {
  const found: string[] = [];
  const all = await pool.query<Row>(
    `SELECT id, "spaceId", role::text AS role, "parentId", depth, cu, version FROM "Memory" WHERE "accountId" = $1 AND "deletedAt" IS NULL`,
    [accountId],
  );
  const rows = all.rows;
  const account = await pool.query(`SELECT "usedCu", "capacityCu" FROM "Account" WHERE id = $1`, [accountId]);
  const used = rows.reduce((sum, { cu }) => sum + cu, 0);
  if (account.rows[0].usedCu !== used) found.push(`usedCu ${account.rows[0].usedCu} ≠ ${used}`);
  if (used > account.rows[0].capacityCu) found.push('over capacity');
  const spaces = await pool.query(`SELECT id, cu, memories FROM "Space" WHERE "accountId" = $1`, [accountId]);
  for (const space of spaces.rows) {
    const own = rows.filter(({ spaceId }) => spaceId === space.id);
    if (space.memories !== own.length) found.push(`memories ${space.memories} ≠ ${own.length}`);
    if (space.cu !== own.reduce((sum, { cu }) => sum + cu, 0)) found.push('space cu');
  }
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const row of rows) {
    const parent = row.parentId === null ? null : byId.get(row.parentId);
    if (parent === undefined) found.push('a live memory under a deleted one');
    else if (parent && (parent.role !== row.role || parent.spaceId !== row.spaceId))
      found.push('pillars cross');
    if (row.depth !== (parent ? parent.depth + 1 : 0)) found.push(`depth ${row.depth}`);
    if (row.depth > MAX_MEMORY_DEPTH) found.push('too deep');
    let at: Row | null | undefined = row;
    for (let steps = 0; at; at = at.parentId === null ? null : byId.get(at.parentId), steps++)
      if (steps > rows.length) {
        found.push('a circle');
        break;
      }
  }
  const gaps = await pool.query(
    `SELECT m.id FROM "Memory" m LEFT JOIN "MemoryRevision" r ON r."memoryId" = m.id WHERE m."accountId" = $1
     GROUP BY m.id HAVING count(r.*) <> m.version`,
    [accountId],
  );
  if (gaps.rows.length > 0) found.push('a version without its revision');
  return found;
}

const place = fc.nat({ max: 40 });
const gesture = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('add' as const), at: place, size: fc.nat({ max: 3000 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('edit' as const), at: place, size: fc.nat({ max: 5000 }) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('move' as const), at: place, to: place }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('delete' as const), at: place }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('undo' as const), at: place }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restore' as const), at: place }) },
);

it('after any gestures of four writers at once, counters are sums, trees are sound, and every version is kept', async () => {
  const done = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(gesture, { maxLength: 10 }), { minLength: 4, maxLength: 4 }),
      async (writers) => {
        const { account, actor } = await makeAccount(service, { capacityCu: 30 });
        const space = await makeSpace(service, account.id);
        const ctx = testContext(service, actor);
        const known: { id: string; pillar: PillarRole }[] = [];
        const deletions: string[] = [];
        let changes = 0;
        const pick = (at: number) => known[at % Math.max(1, known.length)];
        const act = async (one: (typeof writers)[number][number]) => {
          const target = pick(one.at);
          if (one.do === 'add') {
            const nested = one.at % 3 === 0 ? undefined : target;
            const pillar = nested?.pillar ?? (PILLAR_ROLES[one.at % 5] as PillarRole);
            const { memory } = await addMemory(ctx, {
              spaceId: space.id,
              pillar,
              title: 'Mémoire',
              body: 'x'.repeat(one.size + 1),
              parentId: nested?.id ?? null,
              source: 'MANUAL',
              idempotencyKey: null,
            });
            known.push({ id: memory.id, pillar });
          } else if (one.do === 'undo') {
            const deletionId = deletions[one.at % Math.max(1, deletions.length)];
            if (!deletionId) return;
            await undoDelete(ctx, { deletionId });
          } else if (!target) return;
          else if (one.do === 'edit')
            await updateMemory(ctx, {
              memoryId: target.id,
              expectedVersion: null,
              title: 'Reprise',
              body: 'y'.repeat(one.size + 1),
            });
          else if (one.do === 'move') {
            const parent = one.to % 4 === 0 ? undefined : pick(one.to);
            const pillar = parent?.pillar ?? (PILLAR_ROLES[one.to % 5] as PillarRole);
            const to = { pillar, parentId: parent?.id ?? null };
            const { moved } = await moveMemory(ctx, { memoryId: target.id, ...to });
            target.pillar = pillar;
            if (moved === 0) changes -= 1;
          } else if (one.do === 'delete')
            deletions.push((await deleteMemory(ctx, { memoryId: target.id })).deletionId);
          else await restoreRevision(ctx, { memoryId: target.id, version: 1, expectedVersion: null });
          done.add(one.do);
          changes += 1;
        };
        await Promise.all(
          writers.map(async (gestures) => {
            for (const one of gestures)
              await act(one).catch((error: unknown) => {
                if (!(error instanceof ServiceError)) throw error;
              });
          }),
        );
        expect(await faults(service, account.id)).toEqual([]);
        // What a caller holds of the Space is current as long as its version is: each change makes it another.
        const { version } = await service.db.space.findUniqueOrThrow({ where: { id: space.id } });
        expect(version).toBe(space.version + changes);
      },
    ),
    { numRuns: 50 },
  );
  // Otherwise every gesture might be refused.
  expect([...done]).toEqual(expect.arrayContaining(['add', 'edit', 'move', 'delete', 'undo']));
});

async function chain(length: number) {
  const { account, actor } = await makeAccount(service);
  const space = await makeSpace(service, account.id);
  const ctx = testContext(service, actor);
  const ids: string[] = [];
  for (let depth = 0; depth < length; depth++) {
    const { memory } = await addMemory(ctx, {
      spaceId: space.id,
      pillar: 'ITEMS',
      title: `Niveau ${depth}`,
      body: 'texte',
      parentId: ids.at(-1) ?? null,
      source: 'MANUAL',
      idempotencyKey: null,
    });
    ids.push(memory.id);
  }
  return { account, actor, space, ctx, ids };
}

it('two moves that would close a circle together: one is done, the other refused', async () => {
  for (let round = 0; round < 5; round++) {
    const { account, ctx, ids } = await chain(1);
    const { memory: other } = await addMemory(ctx, {
      spaceId: (await service.db.memory.findUniqueOrThrow({ where: { id: ids[0] as string } })).spaceId,
      pillar: 'ITEMS',
      title: 'Autre',
      body: 'texte',
      parentId: null,
      source: 'MANUAL',
      idempotencyKey: null,
    });
    const results = await Promise.allSettled([
      moveMemory(ctx, { memoryId: ids[0] as string, pillar: 'ITEMS', parentId: other.id }),
      moveMemory(ctx, { memoryId: other.id, pillar: 'ITEMS', parentId: ids[0] as string }),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    // For what it would have made, not for a deadlock or whatever else ends a transaction.
    const refused = results.find((one) => one.status === 'rejected');
    expect(refused?.reason).toMatchObject({
      code: 'invalid_request',
      options: { problems: [{ field: 'parentId' }] },
    });
    expect(await faults(service, account.id)).toEqual([]);
  }
});

it('a move is refused when something nested would end deeper than 16 levels, and nothing moves', async () => {
  const { account, ctx, ids, space } = await chain(10);
  const { memory: root } = await addMemory(ctx, {
    spaceId: space.id,
    pillar: 'ITEMS',
    title: 'Racine',
    body: 'texte',
    parentId: null,
    source: 'MANUAL',
    idempotencyKey: null,
  });
  let under = root.id;
  for (let depth = 1; depth <= 7; depth++) {
    const { memory } = await addMemory(ctx, {
      spaceId: space.id,
      pillar: 'ITEMS',
      title: `Sous ${depth}`,
      body: 'texte',
      parentId: under,
      source: 'MANUAL',
      idempotencyKey: null,
    });
    under = memory.id;
  }
  await expect(
    moveMemory(ctx, { memoryId: root.id, pillar: 'ITEMS', parentId: ids[9] as string }),
  ).rejects.toMatchObject({ code: 'invalid_request', options: { problems: [{ field: 'parentId' }] } });
  expect(
    await moveMemory(ctx, { memoryId: root.id, pillar: 'ITEMS', parentId: ids[8] as string }),
  ).toMatchObject({ moved: 8 });
  expect(await faults(service, account.id)).toEqual([]);
});

it('an undone deletion whose parent is gone comes back at the root; one for which there is no more room is refused whole', async () => {
  const { account, ctx, ids, space } = await chain(3);
  const inner = await deleteMemory(ctx, { memoryId: ids[1] as string });
  expect(inner).toMatchObject({ deleted: 2, title: 'Niveau 1' });
  const outer = await deleteMemory(ctx, { memoryId: ids[0] as string });
  expect(await undoDelete(ctx, inner)).toMatchObject({ restored: 2, atRoot: true });
  await expect(undoDelete(ctx, inner)).rejects.toMatchObject({ code: 'not_found' });
  await service.db.account.update({ where: { id: account.id }, data: { capacityCu: 2 } });
  await expect(undoDelete(ctx, outer)).rejects.toMatchObject({ code: 'capacity_full' });
  expect(await faults(service, account.id)).toEqual([]);
  expect((await service.db.space.findUniqueOrThrow({ where: { id: space.id } })).memories).toBe(2);
  const { revisions } = await listRevisions(ctx, { memoryId: ids[1] as string });
  expect(revisions.map(({ change }) => change)).toEqual(['RESTORED', 'DELETED', 'CREATED']);
  expect(revisions[0]?.by).toBe('Camille Aubry');
});

it('an undone deletion whose parent went to another pillar meanwhile comes back in its own, at the root', async () => {
  const { account, ctx, ids } = await chain(2);
  const [parent, child] = ids as [string, string];
  const deletion = await deleteMemory(ctx, { memoryId: child });
  await moveMemory(ctx, { memoryId: parent, pillar: 'PEOPLE', parentId: null });
  expect(await undoDelete(ctx, deletion)).toMatchObject({ restored: 1, atRoot: true });
  const back = await service.db.memory.findUniqueOrThrow({ where: { id: child } });
  expect(back).toMatchObject({ role: 'ITEMS', parentId: null, depth: 0 });
  expect(await faults(service, account.id)).toEqual([]);
});

it('another account can neither see, move, delete nor bring back a Memory', async () => {
  const { ids, ctx } = await chain(2);
  const stranger = testContext(service, (await makeAccount(service)).actor);
  const memoryId = ids[0] as string;
  const deletion = await deleteMemory(ctx, { memoryId: ids[1] as string });
  for (const attempt of [
    () => moveMemory(stranger, { memoryId, pillar: 'PEOPLE', parentId: null }),
    () => deleteMemory(stranger, { memoryId }),
    () => undoDelete(stranger, deletion),
    () => listRevisions(stranger, { memoryId }),
    () => restoreRevision(stranger, { memoryId, version: 1, expectedVersion: null }),
  ])
    await expect(attempt()).rejects.toMatchObject({ code: 'not_found' });
});
