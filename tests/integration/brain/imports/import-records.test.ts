import { expect, it } from 'vitest';
import { readUpload } from '#lib/brain/imports/documents/upload.ts';
import { getImport, listImports, startImport } from '#lib/brain/imports/jobs.ts';
import { runImport } from '#lib/brain/imports/run-import.ts';
import { updateMemory } from '#lib/brain/memories/update-memory.ts';
import { makeAccount, makeMember, makeSpace, memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { claimedMeanwhile } from '#tests/factories/statements/claimed-meanwhile.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

async function setting(notes: number) {
  const { account, actor } = await makeAccount(service, { capacityCu: 1_000 });
  const space = await makeSpace(service, account.id);
  const files = Array.from({ length: notes }, (_, at) => ({
    name: `note-${at}.md`,
    bytes: new TextEncoder().encode(`# Note ${at}\n\nTexte.`),
  }));
  const { drafts } = await readUpload(files, { pillar: 'KNOWLEDGE' });
  return { space, drafts, ctx: testContext(service, actor) };
}

it('an import whose names hold what PostgreSQL cannot keep is recorded, and tells them without it', async () => {
  const { ctx, space, drafts } = await setting(1);
  const { jobId } = await startImport(ctx, {
    spaceId: space.id,
    label: 'notes\0.zip',
    source: 'UPLOAD',
    drafts,
    refused: [{ path: 'mal\0\ud800.md', reason: 'Un nom dangereux\u00a0: «\u00a0a\0b\u00a0».' }],
  });
  expect(await getImport(ctx, { jobId })).toMatchObject({
    label: 'notes.zip',
    refused: [{ path: 'mal\ufffd.md', reason: 'Un nom dangereux\u00a0: «\u00a0ab\u00a0».' }],
  });
  expect(await runImport(ctx, { jobId })).toBe(true);
});

it('a report names what was alike in the Spaces that its reader was given, and counts nothing of the others', async () => {
  const { ctx, space, drafts } = await setting(1);
  const { actor } = ctx;
  const spaceId = space.id;
  const { id: hidden } = await makeSpace(service, actor.accountId);
  const { jobId } = await startImport(ctx, { spaceId, label: 'a.md', source: 'UPLOAD', drafts, refused: [] });
  const alike = (id: string, of: string) => ({ id, spaceId: of, title: id, similarity: 1 });
  const told = (path: string, ...similar: ReturnType<typeof alike>[]) => ({
    id: path,
    path,
    title: path,
    similar,
  });
  await service.db.importJob.update({
    where: { id: jobId },
    data: {
      similar: [
        told('a', alike('ici', spaceId), alike('cachée', hidden)),
        told('b', alike('cachée', hidden)),
      ],
      similarCount: 2,
    },
  });
  expect(await getImport(ctx, { jobId })).toMatchObject({ similarCount: 2 });
  const reader = testContext(service, { ...actor, role: 'MEMBER', spaces: { [spaceId]: 'read' } } as const);
  const seen = await getImport(reader, { jobId });
  expect(seen.similar.map(({ path, similar }) => [path, similar.map(({ title }) => title)])).toEqual([
    ['a', ['ici']],
  ]);
  expect([seen.similarCount, (await listImports(reader, { spaceId }))[0]?.similar]).toEqual([
    1,
    seen.similar,
  ]);
});

it('an import that another process takes in that very moment is left to it: one of them writes', async () => {
  const { ctx, space, drafts } = await setting(2);
  const { jobId } = await startImport(ctx, {
    spaceId: space.id,
    label: 'deux',
    source: 'UPLOAD',
    drafts,
    refused: [],
  });
  const take = {
    text: 'UPDATE "ImportJob" SET "leaseUntil" = $2 WHERE "id" = $1',
    values: [jobId, new Date(ctx.clock.now().getTime() + 30_000)],
  };
  expect(await claimedMeanwhile(service, take, () => runImport(ctx, { jobId }))).toEqual({
    came: false,
    waited: true,
  });
  expect(await service.db.memory.count({ where: { spaceId: space.id } })).toBe(0);
});

it('a process that fails once another has taken its import over leaves it to that one', async () => {
  const { ctx, space, drafts } = await setting(20);
  const { jobId } = await startImport(ctx, {
    spaceId: space.id,
    label: 'vingt',
    source: 'UPLOAD',
    drafts,
    refused: [],
  });
  let nowMs = Date.now();
  const clock = { now: () => new Date(nowMs) };
  /** A process that stays where it writes its Memory of this number, until it is told how that ends. */
  const stoppedAt = (number: number) => {
    const gate = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    let writes = 0;
    const kysely = interceptedQueries(service.connection.pool, {
      before({ label }) {
        if (label === 'insert-memory' && ++writes === number) {
          reached.resolve();
          return gate.promise;
        }
      },
    });
    return { ctx: { ...ctx, clock, kysely }, gate, reached: reached.promise };
  };
  const first = stoppedAt(5);
  const failed = expect(runImport(first.ctx, { jobId })).rejects.toThrow('the connection is lost');
  await first.reached;
  nowMs += 60_000;
  const second = stoppedAt(5);
  const done = runImport(second.ctx, { jobId });
  await second.reached;
  first.gate.reject(new Error('the connection is lost'));
  await failed;
  expect(await getImport(ctx, { jobId })).toMatchObject({ state: 'RUNNING' });
  second.gate.resolve();
  expect(await done).toBe(true);
  expect(await getImport(ctx, { jobId })).toMatchObject({ state: 'DONE', done: 20, refusedCount: 0 });
  expect(await service.db.memory.count({ where: { spaceId: space.id } })).toBe(20);
  expect(await service.db.importBatch.count({ where: { jobId } })).toBe(0);
});

it.each([
  { writes: 'creates', label: 'insert-memory' },
  { writes: 'changes', label: 'update-memory' },
])(
  'an import at work when its account is closed $writes nothing more, and ends with the reason',
  async (one) => {
    const { ctx, space, drafts } = await setting(10);
    const start = (of: typeof drafts) =>
      startImport(ctx, { spaceId: space.id, label: 'dix', source: 'UPLOAD', drafts: of, refused: [] });
    if (one.label === 'update-memory') {
      const { jobId } = await start(drafts);
      await runImport(ctx, { jobId });
    }
    const { jobId } = await start(drafts.map((draft) => ({ ...draft, body: `${draft.body} Encore.` })));
    const where = { id: ctx.actor.accountId };
    let writes = 0;
    const kysely = interceptedQueries(service.connection.pool, {
      async before({ label }) {
        if (label === one.label && ++writes === 4)
          await service.db.account.update({ where, data: { closedAt: new Date() } });
      },
    });
    expect(await runImport({ ...ctx, kysely }, { jobId })).toBe(false);
    const body = { endsWith: 'Encore.' };
    expect(await service.db.memory.count({ where: { spaceId: space.id, body } })).toBe(3);
    const ended = await getImport(ctx, { jobId });
    expect(ended).toMatchObject({ state: 'FAILED', done: 3, refusedCount: 1, stalled: false });
    expect(ended.created + ended.updated).toBe(3);
    expect(ended.finishedAt).not.toBeNull();
    expect(ended.refused).toEqual([
      {
        path: 'dix',
        reason:
          'Le compte a été fermé pendant cet import\u00a0: ce qui n’était pas encore écrit ne l’a pas été.',
      },
    ]);
    expect(await service.db.importBatch.count({ where: { jobId } })).toBe(0);
    await service.db.account.update({ where, data: { closedAt: null } });
    expect(await runImport(ctx, { jobId })).toBe(false);
    expect(await service.db.memory.count({ where: { spaceId: space.id, body } })).toBe(3);
  },
);

it.each(['done', 'failed', 'closed'] as const)(
  'an import is told as over (%s) in the moment in which what was left of its files is deleted, not before: a process that ends in between leaves none there',
  async (how) => {
    const { ctx, space, drafts } = await setting(2);
    const { jobId } = await startImport(ctx, {
      spaceId: space.id,
      label: 'deux',
      source: 'UPLOAD',
      drafts,
      refused: [],
    });
    const seen: string[] = [];
    const kysely = interceptedQueries(service.connection.pool, {
      async before({ label, text }) {
        if (text.startsWith('delete from "ImportBatch"'))
          seen.push((await service.db.importJob.findUniqueOrThrow({ where: { id: jobId } })).state);
        if (label !== 'insert-memory' || how === 'done') return;
        if (how === 'failed') throw new Error('the connection is lost');
        await service.db.account.update({
          where: { id: ctx.actor.accountId },
          data: { closedAt: new Date() },
        });
      },
    });
    await runImport({ ...ctx, kysely }, { jobId }).catch(() => undefined);
    expect(seen).toEqual(['RUNNING']);
    const { state } = await service.db.importJob.findUniqueOrThrow({ where: { id: jobId } });
    expect(state).toBe(how === 'done' ? 'DONE' : 'FAILED');
    expect(await service.db.importBatch.count({ where: { jobId } })).toBe(0);
  },
);

it('the audit counts every refusal of an import, those of its files beyond what its report names included', async () => {
  const { ctx, space, drafts } = await setting(1);
  const refused = Array.from({ length: 250 }, (_, at) => ({ path: `photo-${at}.png`, reason: 'Non.' }));
  const { jobId } = await startImport(ctx, {
    spaceId: space.id,
    label: 'photos',
    source: 'UPLOAD',
    drafts,
    refused,
  });
  await runImport(ctx, { jobId });
  const { refused: named, refusedCount } = await getImport(ctx, { jobId });
  expect([named.length, refusedCount]).toEqual([200, 250]);
  const entry = await service.db.auditEntry.findFirstOrThrow({
    where: { accountId: ctx.actor.accountId, action: 'import.finished' },
  });
  expect(entry.data).toMatchObject({ jobId, created: 1, refused: 250 });
});

const LOSSES = [
  { what: 'the Space', set: `"spaceRights" = '{}'` },
  { what: 'the right to write', set: `"permissions" = '{}'` },
  { what: 'the account', set: `"status" = 'SUSPENDED'` },
];

it.each(LOSSES)(
  'an import whose member loses $what while its files are read is not recorded, and one that waits is not begun',
  async ({ set }) => {
    const { ctx: founder, space, drafts } = await setting(1);
    const member = await makeMember(service, founder.actor.accountId, {
      role: 'MEMBER',
      permissions: ['brain.write'],
    });
    // Judged as its request came in: what it knows of its member is of then.
    const ctx = testContext(service, memberActor(member));
    const start = () =>
      startImport(ctx, { spaceId: space.id, label: 'une', source: 'UPLOAD', drafts, refused: [] });
    const { jobId } = await start();
    await service.connection.pool.query(`UPDATE "Member" SET ${set} WHERE "id" = $1`, [member.id]);
    await expect(start()).rejects.toMatchObject({ code: expect.stringMatching(/^(forbidden|not_found)$/) });
    expect(await service.db.importJob.count({ where: { spaceId: space.id } })).toBe(1);
    expect(await runImport(ctx, { jobId })).toBe(false);
    expect(await service.db.memory.count({ where: { spaceId: space.id } })).toBe(0);
    expect(await runImport(founder, { jobId })).toBe(true);
    expect(await service.db.memory.count({ where: { spaceId: space.id } })).toBe(1);
  },
);

it.each(LOSSES)(
  'an import at work when its member loses $what stops there, and who may write goes on with it',
  async ({ set }) => {
    const { ctx: founder, space, drafts } = await setting(20);
    const member = await makeMember(service, founder.actor.accountId, {
      role: 'MEMBER',
      permissions: ['brain.write'],
    });
    const ctx = testContext(service, memberActor(member));
    const { jobId } = await startImport(ctx, {
      spaceId: space.id,
      label: 'vingt',
      source: 'UPLOAD',
      drafts,
      refused: [],
    });
    // The clock jumps at each look, so that progress is written after each Memory.
    let nowMs = Date.now();
    const clock = {
      now() {
        nowMs += 450;
        return new Date(nowMs);
      },
    };
    let writes = 0;
    const kysely = interceptedQueries(service.connection.pool, {
      async before({ label }) {
        if (label !== 'insert-memory' || ++writes !== 4) return;
        await service.connection.pool.query(`UPDATE "Member" SET ${set} WHERE "id" = $1`, [member.id]);
      },
    });
    expect(await runImport({ ...ctx, clock, kysely }, { jobId })).toBe(false);
    expect(await service.db.memory.count({ where: { spaceId: space.id } })).toBe(4);
    nowMs += 60_000;
    expect(await runImport({ ...founder, clock }, { jobId })).toBe(true);
    expect(await getImport(founder, { jobId })).toMatchObject({ state: 'DONE', done: 20, refusedCount: 0 });
    expect(await service.db.memory.count({ where: { spaceId: space.id } })).toBe(20);
  },
);

it('what was deleted while it is imported again is told as missing, not as one whose parent was refused', async () => {
  const { ctx, space, drafts } = await setting(2);
  const start = (of: typeof drafts) =>
    startImport(ctx, { spaceId: space.id, label: 'deux', source: 'UPLOAD', drafts: of, refused: [] });
  await runImport(ctx, await start(drafts));
  const { jobId } = await start(drafts.map((draft) => ({ ...draft, body: `${draft.body} Encore.` })));
  const kysely = interceptedQueries(service.connection.pool, {
    async before({ label }) {
      if (label !== 'update-memory') return;
      await service.db.memory.updateMany({
        where: { spaceId: space.id, deletedAt: null },
        data: { deletedAt: new Date() },
      });
    },
  });
  expect(await runImport({ ...ctx, kysely }, { jobId })).toBe(true);
  const { refused } = await getImport(ctx, { jobId });
  const reason = 'Cette mémoire est introuvable dans ce compte.';
  expect(refused.map((one) => one.reason)).toEqual([reason, reason]);
});

it('an edit made while its file is being imported is told as replaced, and stays in the history', async () => {
  const { ctx, space, drafts } = await setting(1);
  const start = (of: typeof drafts) =>
    startImport(ctx, { spaceId: space.id, label: 'une', source: 'UPLOAD', drafts: of, refused: [] });
  await runImport(ctx, await start(drafts));
  const { id } = await service.db.memory.findFirstOrThrow({ where: { spaceId: space.id } });
  const { jobId } = await start(drafts.map((draft) => ({ ...draft, body: `${draft.body} Encore.` })));
  const kysely = interceptedQueries(service.connection.pool, {
    async before({ label }) {
      if (label !== 'update-memory') return;
      await updateMemory(ctx, { memoryId: id, expectedVersion: null, title: 'Note 0', body: 'Reprise.' });
    },
  });
  expect(await runImport({ ...ctx, kysely }, { jobId })).toBe(true);
  const { updated, refused } = await getImport(ctx, { jobId });
  expect([updated, refused.map(({ path }) => path)]).toEqual([1, ['note-0.md']]);
  const kept = await service.db.memoryRevision.count({ where: { memoryId: id, body: 'Reprise.' } });
  expect(kept).toBe(1);
});

it('where nothing can be imported, the first reason is told, and how many others there are, one or several', async () => {
  const { ctx, space } = await setting(1);
  const start = (files: number) =>
    startImport(ctx, {
      spaceId: space.id,
      label: 'photos',
      source: 'UPLOAD',
      drafts: [],
      refused: Array.from({ length: files }, (_, at) => ({ path: `photo-${at}.png`, reason: 'Non.' })),
    });
  await expect(start(1)).rejects.toThrow(/^Non\. Rien n’a été importé\.$/);
  await expect(start(2)).rejects.toThrow('Non. Rien n’a été importé (et 1 autre refus).');
  await expect(start(3)).rejects.toThrow('Non. Rien n’a été importé (et 2 autres refus).');
});

it('a Space lists every import that runs, and those that ended a moment ago, however many they are', async () => {
  const { ctx, space, drafts } = await setting(1);
  const spaceId = space.id;
  const ids: string[] = [];
  for (let n = 0; n < 7; n++) {
    const input = { spaceId, label: `${n}.md`, source: 'UPLOAD', drafts, refused: [] } as const;
    ids.unshift((await startImport(ctx, input)).jobId);
  }
  const listed = async () => (await listImports(ctx, { spaceId })).map(({ id }) => id);
  expect(await listed()).toEqual(ids);
  const end = (id: string | undefined, minutesAgo: number) =>
    service.db.importJob.update({
      where: { id: id ?? '' },
      data: { state: 'DONE', finishedAt: new Date(ctx.clock.now().getTime() - minutesAgo * 60_000) },
    });
  await end(ids[0], 16);
  await end(ids[6], 14);
  expect(await listed()).toEqual(ids.slice(1));
  for (const id of ids) await end(id, 20);
  expect(await listed()).toEqual([]);
});
