import { describe, expect, test } from 'vitest';
import { eraseExpired, eraseNow } from '#lib/brain/bin/erase.ts';
import { listBin } from '#lib/brain/bin/list-bin.ts';
import { restoreAll } from '#lib/brain/bin/restore-all.ts';
import { getImport, startImport } from '#lib/brain/imports/jobs.ts';
import { runImport } from '#lib/brain/imports/run-import.ts';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { deleteMemory } from '#lib/brain/memories/delete-memory.ts';
import { getRevision, listRevisions } from '#lib/brain/memories/history.ts';
import { undoDelete } from '#lib/brain/memories/undo-delete.ts';
import { updateMemory } from '#lib/brain/memories/update-memory.ts';
import { findDeleted } from '#lib/brain/queries/find-deleted.ts';
import { indexPending } from '#lib/brain/search/index/maintain.ts';
import { tidyIndex } from '#lib/brain/search/index/tidy-index.ts';
import { searchMemories } from '#lib/brain/search/search-memories.ts';
import { archiveSpace } from '#lib/brain/spaces/change-space.ts';
import { createId } from '#lib/core/ids.ts';
import { TimeLimit } from '#lib/core/resource-limits/time-limit.ts';
import { makeAccount, makeKey, makeMember, makeSpace, memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { claimedMeanwhile } from '#tests/factories/statements/claimed-meanwhile.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { oneBeforeAnother } from '#tests/factories/statements/one-before-another.ts';
import { tablesHolding } from '#tests/factories/watching/byte-search.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 12 });
const DAY_MS = 86_400_000;

async function setting(capacityCu = 1_000) {
  const { account, actor, member } = await makeAccount(service, { capacityCu });
  const space = await makeSpace(service, account.id);
  const ctx = testContext(service, actor);
  const add = async (title: string, body = 'Un texte.', parentId: string | null = null) => {
    const { memory } = await addMemory(ctx, {
      spaceId: space.id,
      pillar: 'KNOWLEDGE',
      title,
      body,
      parentId,
      source: 'MANUAL',
      idempotencyKey: null,
    });
    return memory.id;
  };
  const at = (now: Date) => testContext(service, actor, { clock: { now: () => now } });
  return { account, member, space, ctx, add, at };
}

const night = (days: number) =>
  testContext(service, { type: 'system', job: 'retention' } as const, {
    clock: { now: () => new Date(Date.now() + days * DAY_MS) },
  });

describe('the bin', () => {
  test('shows what each gesture deleted, the latest first, with what went with it, whom and until when; not what was deleted by others’ accounts', async () => {
    const { ctx, add, space, member } = await setting();
    const byKey = testContext(service, (await makeKey(service, member)).actor);
    const stranger = await setting();
    await deleteMemory(stranger.ctx, { memoryId: await stranger.add('Ailleurs') });
    const lamp = await add('Lampes');
    await add('Aubépine', 'x'.repeat(2_000), await add('Modèles', 'y', lamp));
    const note = await add('Note');
    await deleteMemory(byKey, { memoryId: note });
    const { deletionId } = await deleteMemory(ctx, { memoryId: lamp });
    const { deletions, total } = await listBin(ctx);
    expect(total).toBe(2);
    expect(deletions.map(({ title, memories, cu, by }) => [title, memories, cu, by])).toEqual([
      ['Lampes', 3, 4, 'Camille Aubry'],
      ['Note', 1, 1, 'Clé de test'],
    ]);
    const [first] = deletions;
    expect(first).toMatchObject({ deletionId, memoryId: lamp, spaceId: space.id });
    expect((first?.erasedAt.getTime() ?? 0) - (first?.deletedAt.getTime() ?? 0)).toBe(30 * DAY_MS);
  });

  test('keeps the history of what was deleted for those who may write: a reader meets it as missing, by list and by version, and reads that of a live one', async () => {
    const { account, ctx, add } = await setting();
    const member = await makeMember(service, account.id, { role: 'MEMBER', permissions: ['generate'] });
    const reader = testContext(service, memberActor(member));
    const writer = testContext(service, { ...memberActor(member), permissions: ['brain.write'] });
    const memoryId = await add('Tarif', 'Le prix secret.');
    expect((await listRevisions(reader, { memoryId })).revisions).toHaveLength(1);
    expect((await getRevision(reader, { memoryId, version: 1 })).revision.body).toBe('Le prix secret.');
    await deleteMemory(ctx, { memoryId });
    await expect(listRevisions(reader, { memoryId })).rejects.toMatchObject({ code: 'not_found' });
    await expect(getRevision(reader, { memoryId, version: 1 })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect((await listRevisions(writer, { memoryId })).revisions).toHaveLength(2);
    expect((await getRevision(writer, { memoryId, version: 1 })).revision.body).toBe('Le prix secret.');
  });

  test('shows the first words of what was deleted to those who may write there: a reader is told what, when and by whom, as decision 17 keeps the history', async () => {
    const { account, ctx, add, space } = await setting();
    const member = await makeMember(service, account.id, { role: 'MEMBER', permissions: ['generate'] });
    const reader = testContext(service, memberActor(member));
    await deleteMemory(ctx, { memoryId: await add('Tarif', 'Le prix secret.') });
    const shown = async (who: typeof ctx) =>
      (await listBin(who)).deletions.map(({ title, excerpt }) => [title, excerpt]);
    expect(await shown(ctx)).toEqual([['Tarif', 'Le prix secret.']]);
    expect(await shown(reader)).toEqual([['Tarif', '']]);
    const granted = (right: 'read' | 'write') =>
      testContext(service, { ...ctx.actor, spaces: { [space.id]: right } });
    expect(await shown(granted('read'))).toEqual([['Tarif', '']]);
    expect(await shown(granted('write'))).toEqual([['Tarif', 'Le prix secret.']]);
  });

  test('gives everything back, nested where it was, as far as the capacity goes, and leaves archived Spaces alone', async () => {
    const { account, ctx, add } = await setting(4);
    const lamp = await add('Lampes');
    const model = await add('Modèles', 'y', lamp);
    // Deleted before what held it: it comes back under it all the same, since the last deleted comes back first.
    await deleteMemory(ctx, { memoryId: model });
    await deleteMemory(ctx, { memoryId: lamp });
    expect(await restoreAll(ctx)).toEqual({ restored: 2, left: 0, capacityFull: false });
    expect(await service.db.memory.findUnique({ where: { id: model } })).toMatchObject({ parentId: lamp });
    await deleteMemory(ctx, { memoryId: lamp });
    for (const title of ['a', 'b', 'c']) await add(title);
    expect(await restoreAll(ctx)).toEqual({ restored: 0, left: 1, capacityFull: true });
    const elsewhere = await makeSpace(service, account.id);
    await service.db.account.update({ where: { id: account.id }, data: { capacityCu: 100 } });
    const { memory } = await addMemory(ctx, {
      spaceId: elsewhere.id,
      pillar: 'KNOWLEDGE',
      title: 'Là',
      body: 'y',
      parentId: null,
      source: 'MANUAL',
      idempotencyKey: null,
    });
    await deleteMemory(ctx, { memoryId: memory.id });
    await archiveSpace(ctx, { spaceId: elsewhere.id, archived: true });
    expect(await restoreAll(ctx)).toEqual({ restored: 2, left: 1, capacityFull: false });
  });

  test('shows what one can bring back before what one cannot: a hundred deletions of an archived Space, or of one that is only read, hide nothing', async () => {
    const { account, ctx, add, space } = await setting();
    const elsewhere = await makeSpace(service, account.id, { name: 'Ailleurs' });
    const own = await add('La mienne');
    const { deletionId } = await deleteMemory(ctx, { memoryId: own });
    const later = Date.now() + 1_000;
    await service.db.memory.createMany({
      data: Array.from({ length: 100 }, (_, n) => ({
        id: createId('memory'),
        accountId: account.id,
        spaceId: elsewhere.id,
        role: 'KNOWLEDGE' as const,
        kind: 'NOTE' as const,
        source: 'MANUAL' as const,
        cu: 1,
        title: `Autre ${n}`,
        body: 'x',
        createdAt: new Date(later),
        updatedAt: new Date(later),
        deletedAt: new Date(later + n),
        deletionId: createId('deletion'),
      })),
    });
    const reader = testContext(service, {
      ...ctx.actor,
      spaces: { [space.id]: 'write', [elsewhere.id]: 'read' },
    });
    const shown = async (who: typeof ctx) => {
      const { deletions, total } = await listBin(who);
      const times = deletions.map((one) => one.deletedAt.getTime());
      expect(times).toEqual(times.toSorted((a, b) => b - a));
      return [deletions.length, total, deletions.at(-1)?.deletionId === deletionId];
    };
    expect(await shown(ctx)).toEqual([100, 101, false]);
    expect(await shown(reader)).toEqual([100, 101, true]);
    await archiveSpace(ctx, { spaceId: elsewhere.id, archived: true });
    expect(await shown(ctx)).toEqual([100, 101, true]);
    expect(await restoreAll(reader)).toEqual({ restored: 1, left: 100, capacityFull: false });
  });

  test('gives everything back however much it is, and each page shows the next hundred and counts all, with those that come back', async () => {
    const { account, ctx, add, space } = await setting();
    const elsewhere = await makeSpace(service, account.id, { name: 'Archivé' });
    await deleteMemory(ctx, { memoryId: await add('La mienne') });
    const now = new Date();
    const binned = (spaceId: string, count: number) =>
      Array.from({ length: count }, (_, n) => ({
        id: createId('memory'),
        accountId: account.id,
        spaceId,
        title: `Autre ${n}`,
        body: 'x',
        role: 'KNOWLEDGE' as const,
        kind: 'NOTE' as const,
        source: 'MANUAL' as const,
        cu: 1,
        createdAt: now,
        updatedAt: now,
        deletedAt: now,
        deletionId: createId('deletion'),
      }));
    await service.db.memory.createMany({ data: [...binned(space.id, 149), ...binned(elsewhere.id, 3)] });
    await archiveSpace(ctx, { spaceId: elsewhere.id, archived: true });
    const pages = await Promise.all([0, 100, 200].map((skip) => listBin(ctx, { skip })));
    expect(pages.map(({ deletions, ...counts }) => [deletions.length, counts])).toEqual([
      [100, { total: 153, restorable: 150 }],
      [53, { total: 153, restorable: 150 }],
      [0, { total: 0, restorable: 0 }],
    ]);
    const ids = pages.flatMap(({ deletions }) => deletions.map(({ deletionId }) => deletionId));
    expect(new Set(ids).size).toBe(153);
    expect(await restoreAll(ctx)).toEqual({ restored: 150, left: 3, capacityFull: false });
  });

  test('is emptied by the night after 30 days, and not a minute before: then no table, revision, index page, report or audit detail holds a word of it', async () => {
    const { account, ctx, add } = await setting();
    const id = await add('Opération Quetzalcoatl', 'Lancement le jour du solstice, chez Zébulon.');
    await updateMemory(ctx, {
      memoryId: id,
      expectedVersion: null,
      title: 'Opération Quetzalcoatl',
      body: 'Lancement le jour du solstice, chez Zébulon et Farfadet.',
    });
    await service.db.memory.update({
      where: { id },
      data: { file: { name: 'griffonnage.pdf', contentType: 'application/pdf', bytes: 9 } },
    });
    const kept = await add('Ce qui reste', 'Une phrase de farandole que personne ne supprime.');
    await indexPending(ctx, { accountId: account.id, everything: true });
    const words = ['quetzalcoatl', 'zebulon', 'zébulon', 'farfadet', 'griffonnage'];
    expect(await tablesHolding(service, 'griffonnage')).toEqual(['Memory']);
    expect(await tablesHolding(service, 'quetzalcoatl')).toEqual([
      'Memory',
      'MemoryRevision',
      'SearchPage',
      'SearchSegment',
    ]);
    await deleteMemory(ctx, { memoryId: id });

    expect(await eraseExpired(night(29.99))).toBe(0);
    expect(await service.db.memory.count({ where: { id } })).toBe(1);
    expect(await eraseExpired(night(30.01))).toBeGreaterThanOrEqual(1);
    await tidyIndex(ctx);
    expect(await tablesHolding(service, ...words)).toEqual([]);
    expect(await tablesHolding(service, 'farandole')).toContain('SearchPage');
    expect((await searchMemories(ctx, { q: 'farandole' })).data.map(({ memoryId }) => memoryId)).toEqual([
      kept,
    ]);
    const said = await service.db.auditEntry.findMany({
      where: { accountId: account.id, action: 'memory.erased' },
    });
    expect(said.map(({ data }) => data)).toEqual([{ memories: 1, reason: 'expired' }]);
    expect(await service.db.memorySketch.count({ where: { memoryId: id } })).toBe(0);
    expect(await eraseExpired(night(31))).toBe(0);
  });

  test('gives nothing back past its 30 days, nor what a night that was cut left of a deletion', async () => {
    const { ctx, add, at, space } = await setting();
    const lamp = await add('Lampes');
    const model = await add('Modèles', 'y', lamp);
    await add('Prix', 'z', lamp);
    const { deletionId } = await deleteMemory(ctx, { memoryId: lamp });
    const later = (days: number) => at(new Date(Date.now() + days * DAY_MS));
    const asked = { spaceId: space.id, memoryId: lamp };
    expect(await findDeleted(later(29.99), asked)).toMatchObject({ deletionId });
    expect(await findDeleted(later(30.01), asked)).toBeNull();
    await expect(undoDelete(later(30.01), { deletionId })).rejects.toMatchObject({ code: 'not_found' });
    await service.db.memoryRevision.deleteMany({ where: { memoryId: lamp } });
    await service.db.memory.delete({ where: { id: lamp } });
    await expect(undoDelete(later(29.99), { deletionId })).rejects.toMatchObject({ code: 'not_found' });
    expect(await service.db.memory.count({ where: { id: model, deletedAt: null } })).toBe(0);
  });

  test('is emptied account by account in turn: what one deleted without end keeps no other’s texts there, however short the nights', async () => {
    await eraseExpired(night(31));
    const [many, one, other] = [await setting(), await setting(), await setting()];
    const drop = async ({ ctx, add }: typeof many) => deleteMemory(ctx, { memoryId: await add('Note') });
    const left = (of: typeof many) => service.db.memory.count({ where: { accountId: of.account.id } });
    for (let n = 0; n < 6; n += 1) await drop(many);
    await drop(one);
    await drop(other);
    // A night that has the time of one transaction.
    const short = (batch: number) => {
      let ms = 0;
      const kysely = interceptedQueries(service.connection.pool, {
        after({ label }) {
          if (label === 'bin.erase-memories') ms += 1_000;
        },
      });
      return eraseExpired({ ...night(31), kysely }, new TimeLimit(1_000, () => ms), { batch });
    };
    expect(await short(3)).toBe(3);
    expect([await left(many), await left(one), await left(other)]).toEqual([5, 0, 0]);
    // The account that had no turn last night is the first of the next.
    await drop(one);
    for (let n = 0; n < 2; n += 1) expect(await short(1)).toBe(1);
    expect([await left(many), await left(one)]).toEqual([4, 0]);
    expect(await eraseExpired(night(31), undefined, { batch: 3 })).toBe(4);
    const said = await service.db.auditEntry.findMany({
      where: { accountId: many.account.id, action: 'memory.erased' },
      orderBy: { id: 'asc' },
    });
    expect(said.map(({ data }) => (data as { memories: number }).memories)).toEqual([1, 1, 3, 1]);
  });

  test('what is erased is taken out of the reports that name it, and no other report is written again', async () => {
    const { account, ctx, add, space } = await setting();
    const id = await add('Salamandre');
    const report = (own: string, similar: object[]) => ({
      id: createId('importJob'),
      accountId: account.id,
      spaceId: space.id,
      memberId: 'mbr_x',
      label: 'notes',
      source: 'UPLOAD' as const,
      total: 1,
      refused: [],
      similar: [{ path: 'a.md', id: own, title: 'Une note', similar }],
      createdAt: new Date(),
      updatedAt: new Date(),
    });
    const other = { id: 'mem_tiers', spaceId: space.id, title: 'Tiers' };
    const reports = [
      report(id, [other]),
      report('mem_autre', [{ ...other, id }]),
      report('mem_autre', [other]),
    ];
    await service.db.importJob.createMany({ data: reports });
    const rows = async () => {
      const { rows: found } = await service.pool.query<{ xmin: string; lines: number }>(
        'SELECT xmin::text, jsonb_array_length("similar") AS lines FROM "ImportJob" WHERE "accountId" = $1 ORDER BY array_position($2::text[], id)',
        [account.id, reports.map((one) => one.id)],
      );
      return found;
    };
    const before = await rows();
    const { deletionId } = await deleteMemory(ctx, { memoryId: id });
    await eraseNow(ctx, { deletionId });
    const after = await rows();
    expect(after.map(({ lines }) => lines)).toEqual([0, 0, 1]);
    expect(after.map(({ xmin }, at) => xmin === before[at]?.xmin)).toEqual([false, false, true]);
  });

  test('what is erased takes with it the path and the heading by which reports of its Space name what it came from, and nothing else', async () => {
    const { account, ctx, space } = await setting();
    const elsewhere = await makeSpace(service, account.id);
    const draft = (key: string, parentKey: string | null, body: string) => ({
      key,
      parentKey,
      depth: parentKey === null ? 0 : 1,
      pillar: 'KNOWLEDGE' as const,
      kind: 'NOTE' as const,
      title: key,
      body,
      source: null,
      sourceRef: key,
      id: null,
      file: null,
      createdAt: null,
      updatedAt: null,
    });
    const file = 'rh/salamandre.md';
    const refused = [
      { path: `${file}#prime-de-Zébulon`, reason: 'Elle avait été modifiée ici.' },
      { path: 'autre.md', reason: `C’est la même mémoire que «\u00a0${file}\u00a0», importé juste avant.` },
      { path: 'garde.md', reason: 'Ce fichier est vide.' },
    ];
    const bring = async (where: string, drafts: ReturnType<typeof draft>[], label: string) => {
      const input = { spaceId: where, label, source: 'UPLOAD' as const, drafts, refused };
      const { jobId } = await startImport(ctx, input);
      await runImport(ctx, { jobId });
      return jobId;
    };
    const parts = [draft(file, null, 'Un plan.'), draft(`${file}#prime-de-Zébulon`, file, 'Cent euros.')];
    const own = await bring(space.id, parts, file);
    const folder = await bring(space.id, [draft('reste.md', null, 'Un reste.')], '2 fichiers');
    const other = await bring(elsewhere.id, [draft('ici.md', null, 'Ici.')], 'ici.md');
    const memory = await service.db.memory.findFirstOrThrow({
      where: { spaceId: space.id, importKey: `path:${file}` },
    });
    const { deletionId } = await deleteMemory(ctx, { memoryId: memory.id });
    expect(await eraseNow(ctx, { deletionId })).toEqual({ erased: 2 });
    const said = async (jobId: string) => {
      const job = await getImport(ctx, { jobId });
      return [job.label, job.refusedCount, ...job.refused.map(({ path }) => path)];
    };
    expect(await said(own)).toEqual(['un fichier effacé', 3, 'garde.md']);
    expect(await said(folder)).toEqual(['2 fichiers', 3, 'garde.md']);
    expect(await said(other)).toEqual(['ici.md', 3, ...refused.map(({ path }) => path)]);
    await service.db.importJob.delete({ where: { id: other } });
    expect(await tablesHolding(service, 'salamandre', 'zébulon')).toEqual([]);
  });

  test('a founder erases at once what is in it, words and reports included; a member, a stranger and what is live are refused', async () => {
    const { account, ctx, add, space } = await setting();
    const body = 'Le nom de code est Salamandre, et la réunion est à Trébizonde, mardi prochain.';
    const id = await add('Salamandre', body);
    await service.db.importJob.create({
      data: {
        id: 'imp_bin',
        accountId: account.id,
        spaceId: space.id,
        memberId: 'mbr_x',
        label: 'notes',
        source: 'UPLOAD',
        total: 1,
        refused: [],
        similar: [
          {
            path: 'a.md',
            id: 'mem_autre',
            title: 'Autre',
            similar: [{ id, spaceId: space.id, title: 'Salamandre' }],
          },
          { path: 'b.md', id: 'mem_tiers', title: 'Tiers', similar: [] },
        ],
        createdAt: new Date(),
        updatedAt: new Date(),
      },
    });
    await indexPending(ctx, { accountId: account.id, everything: true });
    const { deletionId } = await deleteMemory(ctx, { memoryId: id });
    const member = await makeMember(service, account.id, { role: 'MEMBER', permissions: ['brain.write'] });
    await expect(eraseNow(testContext(service, memberActor(member)), { deletionId })).rejects.toMatchObject({
      code: 'forbidden',
    });
    const stranger = await setting();
    await expect(eraseNow(stranger.ctx, { deletionId })).rejects.toMatchObject({ code: 'not_found' });
    expect(await eraseNow(ctx, { deletionId })).toEqual({ erased: 1 });
    expect(await tablesHolding(service, 'salamandre', 'trebizonde', 'trébizonde')).toEqual([]);
    const job = await service.db.importJob.findUniqueOrThrow({ where: { id: 'imp_bin' } });
    expect((job.similar as { path: string }[]).map(({ path }) => path)).toEqual(['b.md']);
    await expect(eraseNow(ctx, { deletionId })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('what is erased and what is brought back in one moment is one of the two: with its history, or gone and counted nowhere', async () => {
    const { account, ctx, add } = await setting();
    const used = async () =>
      (await service.db.account.findUniqueOrThrow({ where: { id: account.id } })).usedCu;
    const kept = await add('Gardée');
    const { deletionId: first } = await deleteMemory(ctx, { memoryId: kept });
    const back = (deletionId: string) => () => undoDelete(ctx, { deletionId });
    const erase = (deletionId: string) => () => eraseNow(ctx, { deletionId });
    expect(await oneBeforeAnother(service, back(first), erase(first))).toEqual(['done', 'not_found']);
    expect((await listRevisions(ctx, { memoryId: kept })).revisions.length).toBeGreaterThan(1);
    const before = await used();
    const gone = await add('Effacée', 'x'.repeat(2_000));
    const { deletionId: second } = await deleteMemory(ctx, { memoryId: gone });
    expect(await oneBeforeAnother(service, erase(second), back(second))).toEqual(['done', 'not_found']);
    expect(await used()).toBe(before);
  });

  test('what somebody is bringing back keeps its history: the night passes over it, and waits for nobody', async () => {
    const { ctx, add } = await setting();
    const memoryId = await add('Revenue');
    await deleteMemory(ctx, { memoryId });
    const claim = {
      text: 'UPDATE "Memory" SET "deletedAt" = NULL, "deletionId" = NULL WHERE "id" = $1',
      values: [memoryId],
    };
    const others = await service.db.memory.findMany({ where: { deletedAt: { not: null } } });
    const { came, waited } = await claimedMeanwhile(service, claim, () => eraseExpired(night(31)));
    expect([came, waited]).toEqual([others.length - 1, false]);
    expect(await service.db.memoryRevision.count({ where: { memoryId } })).toBeGreaterThan(0);
  });
});
