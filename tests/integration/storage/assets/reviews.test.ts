import { describe, expect, it } from 'vitest';
import { getShell } from '#lib/brain/queries/get-shell.ts';
import { listFiles } from '#lib/storage/assets/list-files.ts';
import { reviewAsset } from '#lib/storage/assets/review-asset.ts';
import { reviewGenerations } from '#lib/storage/assets/review-generations.ts';
import { undoReviews } from '#lib/storage/assets/undo-reviews.ts';
import { exportJournal } from '#lib/studio/journal/export-journal.ts';
import {
  countGenerations,
  journalFilters,
  journalQuery,
  listGenerations,
} from '#lib/studio/journal/list-generations.ts';
import { listNeighbours } from '#lib/studio/journal/list-neighbours.ts';
import { makeMember, memberActor } from '#tests/factories/account.ts';
import {
  addAsset,
  addGeneration,
  auditsOf,
  type FilesScene,
  filesScene,
} from '#tests/factories/files/files.ts';
import { explainedQueries, NO_SHORT_CUTS } from '#tests/factories/statements/explained-queries.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
/** Among a few thousand rows, what expires is nearly as short a list as an account's own. */
const LISTED = { off: NO_SHORT_CUTS, without: ['Asset_expiring'] } as const;
const WHY = { review: 'reject', reason: 'Hors charte' } as const;

const stateOf = async (id: string) =>
  service.db.asset.findUniqueOrThrow({
    where: { id },
    select: { state: true, reviewedBy: true, reviewReason: true },
  });
const listed = async (s: FilesScene, review: 'to-review' | 'approved' | 'rejected' | 'delivered') =>
  (await listGenerations(s.ctx as never, journalQuery.parse({ review }))).generations.map(({ id }) => id);

/** Three rows: one file, two files of which one is delivered, and one of another account. */
async function setting() {
  const s = await filesScene(service);
  const one = await addGeneration(s);
  const two = await addGeneration(s);
  const first = await addAsset(s, { generationId: one });
  const second = await addAsset(s, { generationId: two, state: 'APPROVED' });
  const sent = await addAsset(s, { generationId: two, state: 'DELIVERED' });
  return { s, one, two, first: first.id, second: second.id, sent: sent.id };
}

describe('review', () => {
  it('rejects nothing without a reason, keeps the reason, and drops it when the file is approved after all', async () => {
    const { s, first, one } = await setting();
    for (const reason of [undefined, '  ', 'x'.repeat(501)]) {
      const refused = { code: 'invalid', options: { problems: [{ field: 'reason' }] } };
      await expect(reviewAsset(s.ctx, { assetId: first, review: 'reject', reason })).rejects.toMatchObject(
        refused,
      );
      const input = { generationIds: [one], review: 'reject', reason } as const;
      await expect(reviewGenerations(s.ctx, input)).rejects.toMatchObject(refused);
    }
    expect((await stateOf(first)).state).toBe('GENERATED');
    await reviewAsset(s.ctx, { assetId: first, ...WHY });
    expect(await stateOf(first)).toMatchObject({ state: 'REJECTED', reviewReason: 'Hors charte' });
    await reviewAsset(s.ctx, { assetId: first, review: 'approve' });
    expect(await stateOf(first)).toMatchObject({ state: 'APPROVED', reviewReason: null });
    const longest = 'x'.repeat(500);
    await reviewAsset(s.ctx, { assetId: first, review: 'reject', reason: longest });
    expect(await stateOf(first)).toMatchObject({ state: 'REJECTED', reviewReason: longest });
  });

  it('decides many rows in one gesture, leaves what is final, and audits each file', async () => {
    const { s, one, two, first, second, sent } = await setting();
    const done = await reviewGenerations(s.ctx, { generationIds: [one, two], ...WHY });
    expect(done).toEqual({ assetIds: [first, second].sort(), unchanged: 1 });
    expect((await stateOf(sent)).state).toBe('DELIVERED');
    expect((await auditsOf(s, 'asset.rejected')).length).toBe(2);
    expect(await reviewGenerations(s.ctx, { generationIds: [one, two], ...WHY })).toEqual({
      assetIds: [],
      unchanged: 3,
    });
  });

  it('decides a hundred rows at most in one gesture', async () => {
    const { s, one, first } = await setting();
    const hundred = Array.from({ length: 100 }, (_, at) => `gen_${at}`);
    const decide = (generationIds: string[]) => reviewGenerations(s.ctx, { generationIds, ...WHY });
    expect(await decide([...hundred, one])).toEqual({ assetIds: [], unchanged: 0 });
    expect(await decide([...hundred.slice(1), one])).toEqual({ assetIds: [first], unchanged: 0 });
  });

  it('decides nothing when the chosen rows have more files than one decision takes, and says so: no file is left out unsaid', async () => {
    const { s, one, first } = await setting();
    await service.pool.query(
      `INSERT INTO "Asset" ("id", "accountId", "memberId", "productId", "generationId", "type", "pathname", "contentType", "bytes",
         "createdAt", "updatedAt")
       SELECT $2 || '/page' || n, $1, $3, 'libre', $2, 'IMAGE', $2 || '/page' || n, 'image/png', 1, $4, $4
       FROM generate_series(1, 1000) n`,
      [s.owner.accountId, one, s.owner.memberId, s.clock.now()],
    );
    const decided = reviewGenerations(s.ctx, { generationIds: [one], ...WHY });
    await expect(decided).rejects.toMatchObject({
      code: 'invalid',
      options: { detail: 'generationIds', message: expect.stringContaining('1\u202f000 fichiers') },
    });
    expect((await stateOf(first)).state).toBe('GENERATED');
    await service.db.asset.deleteMany({ where: { id: `${one}/page1` } });
    const { assetIds } = await reviewGenerations(s.ctx, { generationIds: [one], ...WHY });
    expect(assetIds).toHaveLength(1_000);
    expect((await undoReviews(s.ctx, { assetIds })).assetIds).toHaveLength(1_000);
  });

  it('is taken back once, to who had decided before and why, within ten minutes, by who decided alone', async () => {
    const { s, one, first } = await setting();
    const colleague = await makeMember(service, s.owner.accountId, { name: 'Inès' });
    const theirs = { ...s.ctx, actor: memberActor(colleague) };
    await reviewAsset(theirs, { assetId: first, ...WHY });
    const { assetIds } = await reviewGenerations(s.ctx, { generationIds: [one], review: 'approve' });
    expect(await undoReviews(theirs, { assetIds })).toEqual({ assetIds: [] });
    expect(await undoReviews(s.ctx, { assetIds })).toEqual({ assetIds: [first] });
    expect(await stateOf(first)).toEqual({
      state: 'REJECTED',
      reviewedBy: colleague.id,
      reviewReason: 'Hors charte',
    });
    expect(await undoReviews(s.ctx, { assetIds })).toEqual({ assetIds: [] });
    expect((await auditsOf(s, 'asset.review_undone')).length).toBe(1);
    await reviewGenerations(s.ctx, { generationIds: [one], review: 'approve' });
    s.clock.advance(601_000);
    expect(await undoReviews(s.ctx, { assetIds })).toEqual({ assetIds: [] });
  });

  it('reaches no file of another account, and nothing for a member who may not generate', async () => {
    const { s, one, first } = await setting();
    const stranger = await filesScene(service);
    expect(await reviewGenerations(stranger.ctx, { generationIds: [one], ...WHY })).toEqual({
      assetIds: [],
      unchanged: 0,
    });
    await reviewGenerations(s.ctx, { generationIds: [one], ...WHY });
    expect(await undoReviews(stranger.ctx, { assetIds: [first] })).toEqual({ assetIds: [] });
    const reader = await makeMember(service, s.owner.accountId, { role: 'MEMBER' });
    const ctx = { ...s.ctx, actor: memberActor(reader) };
    await expect(reviewGenerations(ctx, { generationIds: [one], ...WHY })).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(undoReviews(ctx, { assetIds: [first] })).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('files by program say what was decided of them, and why', async () => {
    const { s, first, second } = await setting();
    await reviewAsset(s.ctx, { assetId: first, ...WHY });
    const { data } = await listFiles(s.ctx, { limit: 50 });
    const said = new Map(data.map(({ id, state, reviewReason }) => [id, [state, reviewReason]]));
    expect(said.get(first)).toEqual(['REJECTED', 'Hors charte']);
    expect(said.get(second)).toEqual(['APPROVED', null]);
  });

  it('the journal as a CSV says what was decided of the files, and why', async () => {
    const s = await filesScene(service);
    const one = { pathname: 'generations/csv/one.png', contentType: 'image/png', bytes: 3 };
    const generationId = await addGeneration(s, { artifacts: [one] });
    const file = await addAsset(s, { generationId });
    await reviewAsset(s.ctx, { assetId: file.id, ...WHY });
    let text = '';
    for await (const piece of await exportJournal(s.ctx as never, { filters: {} })) text += piece;
    expect(text).toContain(';1;Rejeté;Hors charte;');
  });

  it('filters the journal by what was decided, and counts in the shell what waits for who may decide', async () => {
    const { s, one, two } = await setting();
    expect(await listed(s, 'to-review')).toEqual([one]);
    expect(await listed(s, 'approved')).toEqual([two]);
    expect(await listed(s, 'delivered')).toEqual([two]);
    expect((await getShell(s.ctx)).toReview).toBe(1);
    await reviewGenerations(s.ctx, { generationIds: [one, two], ...WHY });
    expect(await listed(s, 'to-review')).toEqual([]);
    expect((await listed(s, 'rejected')).sort()).toEqual([one, two].sort());
    expect((await getShell(s.ctx)).toReview).toBe(0);
    await addAsset(s, { generationId: one });
    const reader = await makeMember(service, s.owner.accountId, { role: 'MEMBER' });
    expect((await getShell(s.ctx)).toReview).toBe(1);
    expect((await getShell({ ...s.ctx, actor: memberActor(reader) })).toReview).toBe(0);
    // Made more than a month ago: no longer counted.
    await addAsset(s, { generationId: two, ageDays: 40 });
    expect((await getShell(s.ctx)).toReview).toBe(1);
    expect(await listed(await filesScene(service), 'to-review')).toEqual([]);
  });

  it('counts a hundred rows that wait and looks no further: the rail says 99+ from there on', async () => {
    const s = await filesScene(service);
    const waiting = () => getShell(s.ctx).then(({ toReview }) => toReview);
    for (let at = 0; at < 99; at += 1) await addAsset(s);
    expect(await waiting()).toBe(99);
    for (let at = 0; at < 2; at += 1) await addAsset(s);
    expect(await waiting()).toBe(100);
  });

  it('files that wait are read from an index of what is left, and no further than a hundred rows, whatever waits behind them', async () => {
    const s = await filesScene(service);
    const stranger = await filesScene(service);
    await addFiles(s, { count: 3_000, areGone: true });
    for (const scene of [s, stranger]) await addWaiting(scene, 1_500);
    await service.pool.query('ANALYZE "Asset"');
    const of = ({ label }: { label: string }) => label === 'get-shell';
    const { kysely, plans } = explainedQueries(service, { of, ...LISTED });
    expect((await getShell({ ...s.ctx, kysely })).toReview).toBe(100);
    expect(plans).toHaveLength(1);
    expect(plans[0]).toContain('using "Asset_listed" on "Asset" f');
    expect(mostRowsRead(plans[0] ?? ''), plans[0]).toBeLessThan(500);
  });

  it('a queue in which little waits is read from the files that wait, not from each row of the journal', async () => {
    const s = await filesScene(service);
    await addWaiting(s, 3_000);
    const waiting = `${s.owner.accountId}/waiting3000`;
    const judged = `UPDATE "Asset" SET "state" = 'APPROVED' WHERE "accountId" = $1 AND "id" <> $2`;
    await service.pool.query(judged, [s.owner.accountId, waiting]);
    await service.pool.query('ANALYZE "Asset"');
    await service.pool.query('ANALYZE "Generation"');
    const of = ({ label }: { label: string }) => /^studio\.(list|count|beside)\./.test(label);
    const { kysely, plans } = explainedQueries(service, { of, generic: true });
    const ctx = { ...s.ctx, kysely } as never;
    const given = { review: 'to-review' } as const;
    const filters = journalFilters.parse(given);
    const { generations } = await listGenerations(ctx, journalQuery.parse(given));
    expect(generations.map(({ id }) => id)).toEqual([waiting]);
    expect(await countGenerations(ctx, filters)).toBe(1);
    const place = { id: 'gen_0', createdAt: s.clock.now() };
    expect((await listNeighbours(ctx, { place, filters })).older?.id).toBe(waiting);
    expect(plans).toHaveLength(3);
    for (const plan of plans) expect(mostRowsRead(plan), plan).toBeLessThan(10);
    const asked = explainedQueries(service, {
      of: ({ label }) => label === 'studio.reviewed',
      ...LISTED,
      generic: true,
    });
    await listGenerations({ ...s.ctx, kysely: asked.kysely } as never, journalQuery.parse(given));
    expect(asked.plans).toHaveLength(1);
    expect(asked.plans[0]).toMatch(/using "Asset_listed" on "Asset" \(actual rows=1(\.00)? /);
    // What is past its month and being deleted waits for nobody any more, here as in the rail.
    const expiring = 'UPDATE "Asset" SET "expiringAt" = $2 WHERE "id" = $1';
    await service.pool.query(expiring, [waiting, s.clock.now()]);
    expect(await listed(s, 'to-review')).toEqual([]);
  });

  it('files by program are read from that index, a later page from where it begins, however many are gone', async () => {
    const s = await filesScene(service);
    const kept: string[] = [];
    for (const ageDays of [1, 2, 3]) kept.push((await addAsset(s, { ageDays })).id);
    await addFiles(s, { count: 8_000, areGone: true });
    await addFiles(await filesScene(service), { count: 4_000, areGone: false });
    await service.pool.query('ANALYZE "Asset"');
    const of = ({ label }: { label: string }) => label === 'storage.files';
    const { kysely, plans } = explainedQueries(service, { of, ...LISTED, generic: true });
    const ctx = { ...s.ctx, kysely };
    const first = await listFiles(ctx, { limit: 2 });
    const second = await listFiles(ctx, { limit: 2, cursor: first.nextCursor ?? '' });
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(kept);
    expect(second.nextCursor).toBeNull();
    expect(plans).toHaveLength(2);
    for (const plan of plans) {
      expect(plan.match(/using "Asset_listed"/g)).toHaveLength(4);
      expect(plan).not.toContain('Rows Removed by Filter');
    }
  });
});

/** The most rows that a plan reads of a table at one place, those that it looks at and leaves included. */
function mostRowsRead(plan: string): number {
  const scans = plan.matchAll(/ on "(?:Generation|Asset)"[^(\n]*\(actual rows=([\d.]+) loops=(\d+)\)/g);
  const read = [...scans].map(([, rows, loops]) => Number(rows) * Number(loops));
  const left = [...plan.matchAll(/Rows Removed by Filter: (\d+)/g)].map(([, rows]) => Number(rows));
  return Math.max(...read, ...left);
}

/** Files of the account in every state, one a minute back from now. */
async function addFiles(
  { owner, clock }: FilesScene,
  { count, areGone }: { count: number; areGone: boolean },
): Promise<void> {
  await service.pool.query(
    `INSERT INTO "Asset" ("id", "accountId", "memberId", "productId", "type", "state", "pathname", "contentType", "bytes",
       "createdAt", "updatedAt", "deletedAt")
     SELECT $1::text || '/file' || n, $1::text, $2::text, 'libre', 'IMAGE'::"AssetType", (enum_range(NULL::"AssetState"))[1 + n % 4],
       $1::text || '/file' || n, 'image/png', 1, made.at, made.at,
       CASE WHEN $5::boolean THEN $3::timestamptz END
     FROM (SELECT n, $3::timestamptz - n * interval '1 minute' AS at FROM generate_series(1, $4::int) n) made`,
    [owner.accountId, owner.memberId, clock.now(), count, areGone],
  );
}

/** Generations of the account with a file each that nobody judged, one a minute back from now. */
async function addWaiting({ owner, clock }: FilesScene, count: number): Promise<void> {
  const values = [owner.accountId, owner.memberId, clock.now(), count];
  const made = `(SELECT $1::text || '/waiting' || n AS id, $3::timestamptz - n * interval '1 minute' AS at
    FROM generate_series(1, $4::int) n) made`;
  await service.pool.query(
    `INSERT INTO "Generation" ("id", "accountId", "memberId", "productId", "kind", "assetType", "state", "params", "references",
       "artifacts", "costMicros", "createdAt", "deadlineAt", "dueAt", "updatedAt", "closedAt", "closedBy", "requestId")
     SELECT made.id, $1::text, $2::text, 'libre', 'IMAGE'::"GenerationKind", 'IMAGE'::"AssetType", 'COMPLETED'::"GenerationState",
       '{"brief":"essai"}'::jsonb, '{}'::jsonb, '[]'::jsonb, 42000, made.at, made.at, made.at, made.at, made.at, 'request'::"ClosedBy", 'req_test'
     FROM ${made}`,
    values,
  );
  await service.pool.query(
    `INSERT INTO "Asset" ("id", "accountId", "memberId", "productId", "generationId", "type", "pathname", "contentType", "bytes",
       "createdAt", "updatedAt")
     SELECT made.id, $1::text, $2::text, 'libre', made.id, 'IMAGE'::"AssetType", made.id, 'image/png', 1, made.at, made.at FROM ${made}`,
    values,
  );
}
