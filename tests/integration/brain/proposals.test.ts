import { describe, expect, test } from 'vitest';
import { eraseNow } from '#lib/brain/bin/erase.ts';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { deleteMemory } from '#lib/brain/memories/delete-memory.ts';
import { updateMemory } from '#lib/brain/memories/update-memory.ts';
import { acceptProposal, refuseProposal } from '#lib/brain/proposals/decide-proposal.ts';
import { countProposals, listProposals } from '#lib/brain/proposals/list-proposals.ts';
import { MAX_WAITING_OF_PROPOSER } from '#lib/brain/proposals/proposal-rules.ts';
import { proposeMemory } from '#lib/brain/proposals/propose-memory.ts';
import { purgeProposals } from '#lib/brain/proposals/purge-proposals.ts';
import { searchMemories } from '#lib/brain/search/search-memories.ts';
import { archiveSpace } from '#lib/brain/spaces/change-space.ts';
import { createId } from '#lib/core/ids.ts';
import { idempotencyKey } from '#lib/core/input/idempotency-key.ts';
import { makeAccount, makeMember, makeSpace, memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { claimedMeanwhile } from '#tests/factories/statements/claimed-meanwhile.ts';
import { oneBeforeAnother } from '#tests/factories/statements/one-before-another.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 12 });

async function setting(options: Parameters<typeof makeAccount>[1] = {}) {
  const { account, member } = await makeAccount(service, options);
  const space = await makeSpace(service, account.id);
  const ctx = testContext(service, memberActor(member));
  return { account, member, space, ctx };
}
type Setting = Awaited<ReturnType<typeof setting>>;

const propose = ({ ctx, space }: Pick<Setting, 'ctx' | 'space'>, title = 'Ton', body = 'Nous vouvoyons.') =>
  proposeMemory(ctx, { place: { spaceId: space.id, pillar: 'GUIDELINES' }, title, body, note: null });

const memories = ({ space }: Pick<Setting, 'space'>) =>
  service.db.memory.findMany({ where: { spaceId: space.id, deletedAt: null } });

async function written({ ctx, space }: Setting, body = 'Nous tutoyons.') {
  const { memory } = await addMemory(ctx, {
    spaceId: space.id,
    pillar: 'GUIDELINES',
    title: 'Ton',
    body,
    parentId: null,
    source: 'MANUAL',
    idempotencyKey: null,
  });
  return memory;
}

describe('a proposal', () => {
  test('of more than a page, is on one of them, once, the oldest first, and every page counts all', async () => {
    const place = await setting();
    const ids: string[] = [];
    const ofOthers = testContext(service, memberActor(await makeMember(service, place.account.id)));
    for (let n = 0; n < 32; n++) {
      const by = { ...place, ctx: n < 16 ? place.ctx : ofOthers };
      ids.push((await propose(by, `Ton ${n}`, `Nous vouvoyons ${n}.`)).id);
    }
    const pages = await Promise.all([1, 2, 3].map((page) => listProposals(place.ctx, { page })));
    expect(pages.map(({ proposals, total }) => [proposals.length, total])).toEqual([
      [30, 32],
      [2, 32],
      [0, 0],
    ]);
    const listed = pages.flatMap(({ proposals }) => proposals.map(({ id }) => id));
    expect(listed).toEqual(ids);
  });

  test('writes nothing until a member accepts it; then the Memory is there, by that member, and the proposal is gone', async () => {
    const place = await setting();
    const one = await propose(place);
    expect(await memories(place)).toEqual([]);
    const { usedCu } = await service.db.account.findUniqueOrThrow({ where: { id: place.account.id } });
    expect([usedCu, (await searchMemories(place.ctx, { q: 'vouvoyons' })).data]).toEqual([0, []]);
    expect(await propose(place)).toEqual(one);
    expect(await listProposals(place.ctx)).toMatchObject({
      total: 1,
      proposals: [{ id: one.id, current: null }],
    });
    const { memoryId } = await acceptProposal(place.ctx, { proposalId: one.id, seenVersion: null });
    expect(await memories(place)).toMatchObject([
      { id: memoryId, title: 'Ton', source: 'MCP', role: 'GUIDELINES' },
    ]);
    expect(await countProposals(place.ctx)).toBe(0);
    const actions = await service.db.auditEntry.findMany({ where: { accountId: place.account.id } });
    expect(actions.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['memory.proposed', 'memory.added', 'memory.proposal_accepted']),
    );
    expect(JSON.stringify(actions)).not.toContain('vouvoyons');
  });

  test('accepted by many members at once is one Memory, and each is told which', async () => {
    const place = await setting();
    const one = await propose(place);
    const done = await Promise.all(
      Array.from({ length: 8 }, () => acceptProposal(place.ctx, { proposalId: one.id, seenVersion: null })),
    );
    expect(new Set(done.map(({ memoryId }) => memoryId)).size).toBe(1);
    expect(await memories(place)).toHaveLength(1);
  });

  test('is accepted whatever keys callers chose; one accepted under a former key is still told what it became', async () => {
    const place = await setting();
    const one = await propose(place);
    const former = `proposal-${one.id}`;
    const taken = await addMemory(place.ctx, {
      spaceId: place.space.id,
      pillar: 'ITEMS',
      title: 'Autre',
      body: 'Autre chose.',
      parentId: null,
      source: 'API',
      idempotencyKey: idempotencyKey.parse(former),
    });
    const accept = () => acceptProposal(place.ctx, { proposalId: one.id, seenVersion: null });
    const { memoryId } = await accept();
    expect(memoryId).not.toBe(taken.memory.id);
    expect(await accept()).toMatchObject({ memoryId });
    const { idempotencyKey: own } = await service.db.memory.findUniqueOrThrow({ where: { id: memoryId } });
    expect(idempotencyKey.safeParse(own).success).toBe(false);
    const rename = (id: string, key: string | null) =>
      service.db.memory.update({ where: { id }, data: { idempotencyKey: key } });
    await rename(taken.memory.id, null);
    await rename(memoryId, former);
    expect(await accept()).toMatchObject({ memoryId });
    expect(await memories(place)).toHaveLength(2);
  });

  test('accepted and refused at once is one of the two, never both', async () => {
    for (let round = 0; round < 5; round += 1) {
      const place = await setting();
      const one = await propose(place);
      const [accepted, refused] = await Promise.allSettled([
        acceptProposal(place.ctx, { proposalId: one.id, seenVersion: null }),
        refuseProposal(place.ctx, { proposalId: one.id, reason: null }),
      ]);
      expect([accepted.status, refused.status].sort()).toEqual(['fulfilled', 'rejected']);
      // Whoever comes second finds it decided: no fault of the database.
      const second = [accepted, refused].find(({ status }) => status === 'rejected');
      expect(second).toMatchObject({ reason: { code: 'not_found' } });
      expect(await memories(place)).toHaveLength(accepted.status === 'fulfilled' ? 1 : 0);
    }
    const place = await setting();
    const accept = (proposalId: string) => () => acceptProposal(place.ctx, { proposalId, seenVersion: null });
    const refuse = (proposalId: string) => () => refuseProposal(place.ctx, { proposalId, reason: null });
    const [one, other] = [await propose(place, 'Une'), await propose(place, 'Autre')];
    expect(await oneBeforeAnother(service, accept(one.id), refuse(one.id))).toEqual(['done', 'not_found']);
    expect(await oneBeforeAnother(service, refuse(other.id), accept(other.id))).toEqual([
      'done',
      'not_found',
    ]);
    expect((await memories(place)).map(({ title }) => title)).toEqual(['Une']);
  });

  test('that does not fit leaves no Memory and goes on waiting', async () => {
    const place = await setting({ capacityCu: 1 });
    const one = await propose(place, 'Long', 'x'.repeat(5_000));
    await expect(acceptProposal(place.ctx, { proposalId: one.id, seenVersion: null })).rejects.toMatchObject({
      code: 'capacity_full',
    });
    expect(await memories(place)).toEqual([]);
    expect(await countProposals(place.ctx)).toBe(1);
    await acceptProposal(place.ctx, { proposalId: one.id, seenVersion: null, title: 'Court', body: 'x' });
    expect(await memories(place)).toMatchObject([{ title: 'Court', body: 'x' }]);
  });

  test('of a change says when its Memory changed since, and is accepted over the version that was seen alone', async () => {
    const place = await setting();
    const memory = await written(place);
    const one = await proposeMemory(place.ctx, {
      place: { memoryId: memory.id },
      title: 'Ton',
      body: 'Nous vouvoyons.',
      note: 'La charte a changé.',
    });
    await updateMemory(place.ctx, {
      memoryId: memory.id,
      expectedVersion: 1,
      title: 'Ton',
      body: 'On verra.',
    });
    expect((await listProposals(place.ctx)).proposals).toMatchObject([
      { baseVersion: 1, current: { version: 2, body: 'On verra.' }, note: 'La charte a changé.' },
    ]);
    // Who says no version saw the one that it was proposed over.
    for (const seenVersion of [1, null])
      await expect(acceptProposal(place.ctx, { proposalId: one.id, seenVersion })).rejects.toMatchObject({
        code: 'conflict',
      });
    expect(await countProposals(place.ctx)).toBe(1);
    await acceptProposal(place.ctx, { proposalId: one.id, seenVersion: 2 });
    expect(await memories(place)).toMatchObject([{ body: 'Nous vouvoyons.', version: 3 }]);
    await expect(
      proposeMemory(place.ctx, {
        place: { memoryId: memory.id },
        title: 'Ton',
        body: 'Nous vouvoyons.',
        note: null,
      }),
    ).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('refused loses its texts and keeps its reason, which the same proposal is answered with', async () => {
    const place = await setting();
    const one = await proposeMemory(place.ctx, {
      place: { spaceId: place.space.id, pillar: 'GUIDELINES' },
      title: 'Ton',
      body: 'Nous vouvoyons.',
      note: 'Vu sur le site.',
    });
    await refuseProposal(place.ctx, { proposalId: one.id, reason: 'Déjà dans la charte.' });
    expect(await service.db.memoryProposal.findUniqueOrThrow({ where: { id: one.id } })).toMatchObject({
      state: 'REFUSED',
      title: '',
      body: '',
      note: null,
    });
    expect(await propose(place)).toMatchObject({
      id: one.id,
      state: 'REFUSED',
      reason: 'Déjà dans la charte.',
    });
    await expect(acceptProposal(place.ctx, { proposalId: one.id, seenVersion: null })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await memories(place)).toEqual([]);
  });

  test('refused over one version of its Memory may be made again over another', async () => {
    const place = await setting();
    const { id: memoryId } = await written(place);
    const again = () =>
      proposeMemory(place.ctx, { place: { memoryId }, title: 'Ton', body: 'Nous vouvoyons.', note: null });
    const one = await again();
    await refuseProposal(place.ctx, { proposalId: one.id, reason: null });
    expect(await again()).toMatchObject({ id: one.id, state: 'REFUSED' });
    await updateMemory(place.ctx, { memoryId, expectedVersion: 1, title: 'Ton', body: 'On verra.' });
    expect(await again()).toMatchObject({ state: 'WAITING' });
  });

  test('is taken by no account that was closed meanwhile', async () => {
    const place = await setting();
    const where = { id: place.account.id };
    await service.db.account.update({ where, data: { closedAt: new Date() } });
    await expect(propose(place)).rejects.toMatchObject({
      code: 'conflict',
      options: { detail: 'account-closed' },
    });
    expect(await service.db.memoryProposal.count({ where: { accountId: place.account.id } })).toBe(0);
  });

  test('more changes accepted at once than there are connections are all written: none asks for a second one', async () => {
    const place = await setting();
    const ids: string[] = [];
    for (let n = 0; n < 14; n += 1) {
      const { id: memoryId } = await written(place, `Nous tutoyons les enfants, ${n}.`);
      const body = `Nous vouvoyons les enfants, ${n}.`;
      ids.push((await proposeMemory(place.ctx, { place: { memoryId }, title: 'Ton', body, note: null })).id);
    }
    await Promise.all(ids.map((proposalId) => acceptProposal(place.ctx, { proposalId, seenVersion: null })));
    const bodies = (await memories(place)).map(({ body }) => body);
    expect(bodies.filter((body) => body.startsWith('Nous vouvoyons'))).toHaveLength(14);
  });

  test('is bounded exactly however many are made at once, expires, and is purged', async () => {
    const place = await setting();
    const known = await propose(place, 'Connue');
    const made = await Promise.allSettled(
      Array.from({ length: MAX_WAITING_OF_PROPOSER + 5 }, (_, n) => propose(place, `T ${n}`)),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(MAX_WAITING_OF_PROPOSER - 1);
    // What waits already is answered, and takes no other place.
    expect(await propose(place, 'Connue')).toEqual(known);
    expect(MAX_WAITING_OF_PROPOSER).toBe(20);
    expect(await countProposals(place.ctx)).toBe(20);
    const first = await service.db.memoryProposal.findFirstOrThrow({
      where: { accountId: place.account.id },
    });
    // Those of others fill the account up to its last place but one.
    await service.db.memoryProposal.createMany({
      data: Array.from({ length: 179 }, (_, n) => ({
        ...first,
        id: createId('proposal'),
        proposer: `key:${n}`,
        fingerprint: Buffer.from(`other ${n}`),
      })),
    });
    const colleague = testContext(service, memberActor(await makeMember(service, place.account.id)));
    // Of two in one moment, the last place is one's alone.
    const last = (title: string) => () => propose({ ...place, ctx: colleague }, title);
    expect(await oneBeforeAnother(service, last('La dernière'), last('Une autre'))).toEqual([
      'done',
      'rate_limited',
    ]);
    await expect(propose({ ...place, ctx: colleague }, 'Une de trop')).rejects.toMatchObject({
      code: 'rate_limited',
    });
    expect(await countProposals(place.ctx)).toBe(200);
    const daysLater = (days: number) => ({
      ...place.ctx,
      clock: { now: () => new Date(place.ctx.clock.now().getTime() + days * 86_400_000) },
    });
    expect(await countProposals(daysLater(29.99))).toBe(200);
    const later = daysLater(30.01);
    expect(await countProposals(later)).toBe(0);
    await expect(acceptProposal(later, { proposalId: first.id, seenVersion: null })).rejects.toMatchObject({
      code: 'not_found',
    });
    const purge = () => purgeProposals({ ...later, actor: { type: 'system', job: 'retention' } });
    // One that somebody holds stays for another night.
    const hold = { text: 'SELECT 1 FROM "MemoryProposal" WHERE id = $1 FOR UPDATE', values: [first.id] };
    expect((await claimedMeanwhile(service, hold, purge)).waited).toBe(false);
    expect(await service.db.memoryProposal.count({ where: { accountId: place.account.id } })).toBe(1);
    await purge();
    expect(await service.db.memoryProposal.count({ where: { accountId: place.account.id } })).toBe(0);
  });

  test('that waits in an archived Space, where nobody can decide it, takes no place from those of another', async () => {
    const place = await setting();
    for (let n = 0; n < MAX_WAITING_OF_PROPOSER; n += 1) await propose(place, `T ${n}`);
    await archiveSpace(place.ctx, { spaceId: place.space.id, archived: true });
    expect(await listProposals(place.ctx)).toEqual({ proposals: [], total: 0 });
    const other = await makeSpace(service, place.account.id, { name: 'Autre' });
    expect(await propose({ ctx: place.ctx, space: other })).toMatchObject({ state: 'WAITING' });
    await archiveSpace(place.ctx, { spaceId: place.space.id, archived: false });
    expect(await countProposals(place.ctx)).toBe(MAX_WAITING_OF_PROPOSER + 1);
    await expect(propose({ ctx: place.ctx, space: other }, 'Une de trop')).rejects.toMatchObject({
      code: 'rate_limited',
    });
  });

  test('that says what its Memory says already is refused, naming the field', async () => {
    const place = await setting();
    const { id: memoryId, title, body } = await written(place);
    const error = await proposeMemory(place.ctx, { place: { memoryId }, title, body, note: null }).catch(
      (refused: unknown) => refused,
    );
    expect(error).toMatchObject({
      code: 'invalid_request',
      options: { problems: [{ field: 'body', message: expect.stringContaining('déjà') }] },
    });
  });

  test('belongs to its account and to those who may write: a stranger and a reader decide nothing', async () => {
    const place = await setting();
    const stranger = await setting();
    const one = await propose(place);
    for (const decide of [
      (ctx: Setting['ctx']) => acceptProposal(ctx, { proposalId: one.id, seenVersion: null }),
      (ctx: Setting['ctx']) => refuseProposal(ctx, { proposalId: one.id, reason: null }),
    ]) {
      await expect(decide(stranger.ctx)).rejects.toMatchObject({ code: 'not_found' });
      const reader = await makeMember(service, place.account.id, { role: 'MEMBER', permissions: [] });
      await expect(decide(testContext(service, memberActor(reader)))).rejects.toMatchObject({
        code: 'forbidden',
      });
    }
    expect(await listProposals(stranger.ctx)).toEqual({ proposals: [], total: 0 });
    // What it became is told as it was itself: to who was given its Space.
    const accepted = { proposalId: (await propose(place, 'Acceptée')).id, seenVersion: null };
    await acceptProposal(place.ctx, accepted);
    const elsewhere = testContext(service, { ...place.ctx.actor, spaces: {} });
    for (const ctx of [stranger.ctx, elsewhere])
      await expect(acceptProposal(ctx, accepted)).rejects.toMatchObject({ code: 'not_found' });
    const memory = await written(place);
    await expect(
      proposeMemory(stranger.ctx, { place: { memoryId: memory.id }, title: 'T', body: 'B', note: null }),
    ).rejects.toMatchObject({ code: 'not_found' });
    await expect(propose({ ctx: stranger.ctx, space: place.space })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await countProposals(place.ctx)).toBe(1);
  });

  test('of a change goes with its Memory when that one is erased', async () => {
    const place = await setting();
    const memory = await written(place);
    await proposeMemory(place.ctx, {
      place: { memoryId: memory.id },
      title: 'Ton',
      body: 'Nous tutoyons, toujours.',
      note: null,
    });
    const { deletionId } = await deleteMemory(place.ctx, { memoryId: memory.id });
    expect((await listProposals(place.ctx)).proposals).toMatchObject([{ current: null }]);
    const ctx = { ...place.ctx, actor: { ...place.ctx.actor, verifiedAt: place.ctx.clock.now() } };
    await eraseNow(ctx as never, { deletionId });
    expect(await service.db.memoryProposal.count({ where: { accountId: place.account.id } })).toBe(0);
  });
});
