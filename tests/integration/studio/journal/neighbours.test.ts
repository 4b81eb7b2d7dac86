import { expect, it } from 'vitest';
import { manualClock } from '#lib/core/clock.ts';
import { exportJournal } from '#lib/studio/journal/export-journal.ts';
import {
  type JournalFilters,
  journalFilters,
  journalQuery,
  listGenerations,
} from '#lib/studio/journal/list-generations.ts';
import { listNeighbours } from '#lib/studio/journal/list-neighbours.ts';
import { fillJournal } from '#tests/e2e/setup/scenes/fill-journal.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

it('the rows beside one of ten thousand cost one question, and are those that the list shows, whatever filters it', async () => {
  const scene = await studioScene(service);
  await fillJournal(scene.ctx, 10_000);
  await service.pool.query(`UPDATE "Generation" SET "searchText" = lower("params" ->> 'brief')`);
  const asked: string[] = [];
  const ctx = {
    ...scene.ctx,
    kysely: interceptedQueries(service.connection.pool, { before: ({ label }) => asked.push(label) }),
  };
  for (const given of [
    {},
    { status: 'cancelled' },
    { kind: 'image', productId: 'libre' },
    { q: 'essai 12' },
    { q: 'essai 12', status: 'cancelled' },
  ]) {
    const filters: JournalFilters = journalFilters.parse(given);
    const { generations: listed } = await listGenerations(ctx, journalQuery.parse({ ...given, limit: 100 }));
    for (const at of [0, 1, 42]) {
      const [newer = null, row, older] = [listed[at - 1], listed[at], listed[at + 1]];
      if (!row) throw new Error('no row');
      asked.length = 0;
      const found = await listNeighbours(ctx, {
        place: { id: row.id, createdAt: new Date(row.createdAt) },
        filters,
      });
      expect(asked).toHaveLength(1);
      expect([found.newer?.id ?? null, found.older?.id]).toEqual([newer?.id ?? null, older?.id]);
    }
  }
});

it('a row that left the queue still has neighbours, the ends have one, and no account sees those of another', async () => {
  const scene = await studioScene(service);
  const stranger = await studioScene(service);
  await fillJournal(scene.ctx, 3);
  await fillJournal(stranger.ctx, 3);
  const { generations: listed } = await listGenerations(scene.ctx, journalQuery.parse({}));
  const place = (at: number) => {
    const row = listed[at];
    if (!row) throw new Error('no row');
    return { id: row.id, createdAt: new Date(row.createdAt) };
  };
  const beside = async (ctx: typeof scene.ctx, at: number, filters: JournalFilters = {}) => {
    const { newer, older } = await listNeighbours(ctx, { place: place(at), filters });
    return [newer?.id ?? null, older?.id ?? null];
  };
  expect(await beside(scene.ctx, 0)).toEqual([null, listed[1]?.id]);
  expect(await beside(scene.ctx, 2)).toEqual([listed[1]?.id, null]);
  // None of them has a file: the queue holds none, before nor after.
  expect(await beside(scene.ctx, 1, { review: 'to-review' })).toEqual([null, null]);
  // The row between these two does not answer the filter: it is between them still.
  await service.pool.query(`UPDATE "Generation" SET "searchText" = 'bougie' WHERE "id" = ANY($1)`, [
    [listed[0]?.id, listed[2]?.id],
  ]);
  expect(await beside(scene.ctx, 1, { q: 'bougie' })).toEqual([listed[0]?.id, listed[2]?.id]);
  // At the same place in time, the other account has neighbours: its own.
  const theirs = (await listGenerations(stranger.ctx, journalQuery.parse({}))).generations.map(
    ({ id }) => id,
  );
  const seen = (await beside(stranger.ctx, 1)).filter((id) => id !== null);
  expect(seen).not.toEqual([]);
  expect(seen.filter((id) => !theirs.includes(id))).toEqual([]);
});

it('the journal as a CSV holds every row that its filters leave, amounts in decimals, cases in words, no formula, and none of another account', async () => {
  const scene = await studioScene(service);
  const stranger = await studioScene(service);
  await fillJournal(scene.ctx, 1_203);
  await fillJournal(stranger.ctx, 5);
  const [row] = (await listGenerations(scene.ctx, journalQuery.parse({}))).generations;
  await service.db.generation.update({
    where: { id: row?.id ?? '' },
    data: {
      params: { brief: '=HYPERLINK("https://pirate.test")', case: 'image-edit' },
      state: 'CANCELLED',
      costMicros: null,
      heldMicros: 45_000n,
    },
  });
  const read = async (filters: JournalFilters) => {
    let text = '';
    const caseWords = { 'image-edit': 'Retouche au masque' };
    for await (const piece of await exportJournal(scene.ctx, { filters, caseWords })) text += piece;
    return text.split('\r\n').slice(0, -1);
  };
  const [head, first, ...others] = await read({});
  expect(head).toBe(
    '\ufeffDate (heure de Paris);État;Type;Cas;Demande;Produit;Membre;Modèle d’IA;Retenu ($US);Débité ($US);Fichiers;Vérification;Raison du rejet;Close le (heure de Paris);Identifiant',
  );
  expect(first).toContain(`"'=HYPERLINK(""https://pirate.test"")"`);
  expect(first).toContain(';Image;Retouche au masque;');
  expect(first).toContain(';0,045000;;0;');
  expect(others).toHaveLength(1_202);
  expect(new Set(others.map((line) => line.split(';').at(-1))).size).toBe(1_202);
  expect(await read({ kind: 'video' })).toHaveLength(1);
  // More than one page of the database, each under the same filters.
  await service.pool.query(
    `UPDATE "Generation" SET "searchText" = 'zinc' WHERE "id" IN (SELECT "id" FROM
       (SELECT "id", row_number() OVER (ORDER BY "id") AS n FROM "Generation" WHERE "accountId" = $1) t WHERE n % 2 = 0)`,
    [scene.owner.accountId],
  );
  expect(await read({ q: 'zinc' })).toHaveLength(602);
});

it('a journal that is being exported ends at its next page for who lost the right to it', async () => {
  const { ctx } = await studioScene(service);
  await fillJournal(ctx, 501);
  const pieces = await exportJournal(ctx, { filters: {} });
  await pieces.next();
  await pieces.next();
  await service.db.member.update({
    where: { id: ctx.actor.memberId },
    data: { role: 'MEMBER', permissions: [] },
  });
  await expect(pieces.next()).rejects.toMatchObject({ code: 'forbidden' });
});

it('rows that arrive while the journal is exported move none: each of those that were there is in it, once', async () => {
  const { ctx } = await studioScene(service);
  await fillJournal(ctx, 1_203);
  const before = await service.db.generation.findMany({
    where: { accountId: ctx.actor.accountId },
    select: { id: true },
  });
  let later = ctx.clock.now().getTime();
  let text = '';
  for await (const piece of await exportJournal(ctx, { filters: {} })) {
    text += piece;
    // Between two pages of the database; the newest first, as they come.
    later += 600_000;
    await fillJournal({ ...ctx, clock: manualClock(new Date(later)) }, 3);
  }
  const ids = text
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(';').at(-1));
  expect(ids.toSorted()).toEqual(before.map(({ id }) => id).sort());
});
