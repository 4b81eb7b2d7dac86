import { expect, test } from 'vitest';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { deleteMemory } from '#lib/brain/memories/delete-memory.ts';
import { moveMemory } from '#lib/brain/memories/move-memory.ts';
import { acceptProposal, refuseProposal } from '#lib/brain/proposals/decide-proposal.ts';
import { proposeMemory } from '#lib/brain/proposals/propose-memory.ts';
import { findDeleted } from '#lib/brain/queries/find-deleted.ts';
import { isAddedUnder } from '#lib/brain/queries/is-added-under.ts';
import { previewContext } from '#lib/brain/queries/preview-context.ts';
import { viewSpace } from '#lib/brain/queries/view-space.ts';
import { archiveSpace } from '#lib/brain/spaces/change-space.ts';
import { exportSpace } from '#lib/brain/spaces/export-space.ts';
import { makeAccount, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

async function setting() {
  const { account, actor } = await makeAccount(service);
  const space = await makeSpace(service, account.id);
  const ctx = testContext(service, actor);
  const add = async (title: string, spaceId = space.id, parentId: string | null = null) => {
    const { memory } = await addMemory(ctx, {
      spaceId,
      pillar: 'ITEMS',
      title,
      body: 'Un texte.',
      parentId,
      source: 'MANUAL',
      idempotencyKey: null,
    });
    return memory.id;
  };
  return { account, actor, space, ctx, add };
}

/** A Memory that is deleted, one of a Space that was not given, a stranger’s and one that never was; who asks has the first Space alone. */
async function places() {
  const { account, actor, space, ctx, add } = await setting();
  const stranger = await setting();
  const hidden = await makeSpace(service, account.id, { name: 'Ailleurs' });
  const gone = await add('Supprimée');
  await deleteMemory(ctx, { memoryId: gone });
  const restricted = testContext(service, { ...actor, spaces: { [space.id]: 'write' as const } });
  const parents = {
    deleted: gone,
    hidden: await add('Cachée', hidden.id),
    stranger: await stranger.add('Étrangère'),
    unknown: 'mem_00000000000000000000000000',
  };
  return { space, restricted, add, parents };
}

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    ({ code, message, options }) => ({ code, message, problems: options.problems }),
  );

test('nothing is nested under a Memory that is deleted, out of reach or a stranger’s: it answers like one that never was', async () => {
  const { space, restricted, add, parents } = await places();
  const memoryId = await add('Lampe');
  const adding = (parentId: string) =>
    addMemory(restricted, {
      spaceId: space.id,
      pillar: 'ITEMS',
      title: 'Applique',
      body: 'Un texte.',
      parentId,
      source: 'MANUAL',
      idempotencyKey: null,
    });
  const moving = (parentId: string) => moveMemory(restricted, { memoryId, pillar: 'ITEMS', parentId });
  for (const [code, nest] of [
    ['not_found', adding],
    ['invalid_request', moving],
  ] as const) {
    const unknown = await refusal(nest(parents.unknown));
    expect(unknown).toMatchObject({ code, problems: [{ field: 'parentId' }] });
    for (const [which, id] of Object.entries(parents))
      expect([which, await refusal(nest(id))]).toEqual([which, unknown]);
  }
  expect(await service.db.memory.count({ where: { spaceId: space.id, deletedAt: null } })).toBe(1);
});

test('nothing is proposed in a Space that is put away or was not given, nor for a Memory of one', async () => {
  const { actor, account, space, ctx, add } = await setting();
  const archived = await makeSpace(service, account.id, { name: 'Rangé' });
  const inArchived = await add('Rangée', archived.id);
  await archiveSpace(ctx, { spaceId: archived.id, archived: true });
  const restricted = testContext(service, { ...actor, spaces: {} });
  const text = { title: 'Ton', body: 'Nous vouvoyons.', note: null };
  const memoryId = await add('Lampe');
  for (const [by, place] of [
    [ctx, { spaceId: archived.id, pillar: 'ITEMS' }],
    [ctx, { memoryId: inArchived }],
    [restricted, { spaceId: space.id, pillar: 'ITEMS' }],
    [restricted, { memoryId }],
  ] as const)
    await expect(proposeMemory(by, { place, ...text })).rejects.toMatchObject({ code: 'not_found' });
  expect(await service.db.memoryProposal.count({ where: { accountId: account.id } })).toBe(0);
});

test('a proposal is decided by who may write in its Space; one whose Memory was deleted since became nothing', async () => {
  const { actor, space, ctx } = await setting();
  const place = { spaceId: space.id, pillar: 'ITEMS' } as const;
  const propose = () => proposeMemory(ctx, { place, title: 'Ton', body: 'Nous vouvoyons.', note: null });
  const { id: proposalId } = await propose();
  const reader = testContext(service, { ...actor, spaces: { [space.id]: 'read' as const } });
  const accepting = { proposalId, seenVersion: null };
  await expect(acceptProposal(reader, accepting)).rejects.toMatchObject({ code: 'forbidden' });
  await expect(refuseProposal(reader, { proposalId, reason: null })).rejects.toMatchObject({
    code: 'forbidden',
  });
  const { memoryId } = await acceptProposal(ctx, accepting);
  expect(await acceptProposal(ctx, accepting)).toMatchObject({ memoryId });
  await deleteMemory(ctx, { memoryId });
  await expect(acceptProposal(ctx, accepting)).rejects.toMatchObject({ code: 'not_found' });
});

test('a Space that is put away has no context and is not edited, though its page still shows it', async () => {
  const { space, ctx, add } = await setting();
  await add('Lampe');
  const spaceId = space.id;
  expect((await previewContext(ctx, { spaceId })).payload.context).toContain('Lampe');
  expect(await viewSpace(ctx, { spaceId })).toMatchObject({ canEdit: true, memories: 1 });
  await archiveSpace(ctx, { spaceId, archived: true });
  await expect(previewContext(ctx, { spaceId })).rejects.toMatchObject({ code: 'not_found' });
  expect(await viewSpace(ctx, { spaceId })).toMatchObject({ canEdit: false, memories: 1 });
});

test('what was deleted is shown where it was for 30 days to the millisecond, to who was given its Space', async () => {
  const { actor, space, ctx, add } = await setting();
  const memoryId = await add('Lampe');
  await deleteMemory(ctx, { memoryId });
  const { deletedAt } = await service.db.memory.findUniqueOrThrow({ where: { id: memoryId } });
  const shown = async (spaces: Record<string, 'read'> | undefined, afterMs: number) => {
    const now = new Date((deletedAt?.getTime() ?? 0) + afterMs);
    const as = { ...actor, ...(spaces ? { spaces } : {}) };
    const by = testContext(service, as, { clock: { now: () => now } });
    return (await findDeleted(by, { spaceId: space.id, memoryId }))?.title ?? null;
  };
  const end = 30 * 86_400_000;
  expect([await shown(undefined, end), await shown(undefined, end + 1)]).toEqual(['Lampe', null]);
  expect([await shown({ [space.id]: 'read' }, 0), await shown({}, 0)]).toEqual(['Lampe', null]);
});

test('an export holds what is in its Space, and nothing that is in the bin', async () => {
  const { space, ctx, add } = await setting();
  const kept = await add('Lampe');
  await deleteMemory(ctx, { memoryId: await add('Supprimée') });
  const { memories } = await exportSpace(ctx, { spaceId: space.id });
  expect(memories.map(({ id }) => id)).toEqual([kept]);
});

test('what was added under a key counts from the very moment that is asked for, while it is there, and in reach', async () => {
  const { actor, space, ctx } = await setting();
  const stranger = await setting();
  const at = new Date('2026-10-31T23:50:00Z');
  const key = 'mcp-content';
  const { memory } = await addMemory(testContext(service, actor, { clock: { now: () => at } }), {
    spaceId: space.id,
    pillar: 'ITEMS',
    title: 'Lampe',
    body: 'Laiton.',
    parentId: null,
    source: 'MCP',
    idempotencyKey: key,
  });
  const elsewhere = testContext(service, { ...actor, spaces: {} });
  const counts = (by = ctx, since = at) => isAddedUnder(by, { key, since });
  expect([await counts(), await counts(ctx, new Date(at.getTime() + 1))]).toEqual([true, false]);
  expect([await counts(stranger.ctx), await counts(elsewhere)]).toEqual([false, false]);
  await deleteMemory(ctx, { memoryId: memory.id });
  expect(await counts()).toBe(false);
});
