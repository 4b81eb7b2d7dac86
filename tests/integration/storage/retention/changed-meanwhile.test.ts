import { describe, expect, it } from 'vitest';
import { saveAvatar } from '#lib/storage/assets/avatars.ts';
import { keepCaptureRush } from '#lib/storage/assets/capture-rushes.ts';
import { attachToConcept, attachToNewConcept } from '#lib/storage/assets/concepts.ts';
import { addLesson } from '#lib/storage/assets/lessons.ts';
import { reviewAsset } from '#lib/storage/assets/review-asset.ts';
import { listUploads } from '#lib/storage/uploads/list-uploads.ts';
import { addConcept } from '#tests/factories/files/concept.ts';
import {
  addAsset,
  addUpload,
  type FilesScene,
  night,
  putOld,
  quietFilesScene,
} from '#tests/factories/files/files.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { takenInOrder } from '#tests/factories/statements/taken-in-order.ts';
import { untilBlocked } from '#tests/factories/statements/until-blocked.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

describe('the nightly pass', () => {
  it('and who deletes the files of the same generation never each hold what the other waits for', async () => {
    const s = await quietFilesScene(service);
    const old = await addAsset(s, { ageDays: 31 });
    const other = await service.pool.connect();
    try {
      await other.query('begin');
      await other.query('select "id" from "Generation" where "id" = $1 for update', [old.generationId]);
      const pass = night(s);
      await untilBlocked(service);
      // What the gesture changes next.
      await other.query('update "Asset" set "updatedAt" = now() where "id" = $1', [old.id]);
      await other.query('commit');
      expect((await pass).assets.expired).toBe(1);
    } finally {
      other.release();
    }
  });

  it.each([
    ['Asset', addAsset],
    ['Upload', addUpload],
  ] as const)('claims files (%s) in the order in which requests touch them', async (table, add) => {
    const s = await quietFilesScene(service);
    const last = await add(s, { ageDays: 31 });
    const first = await add(s, { ageDays: 32 });
    const report = await takenInOrder(service, { table, ids: [first.id, last.id] }, () => night(s));
    expect(report.files.removed).toBe(2);
  });

  it.each([
    ['Asset', addAsset, 'usedAt'],
    ['Upload', addUpload, 'touchedAt'],
  ] as const)('leaves a file (%s) that a request takes once it was looked at', async (table, add, column) => {
    const s = await quietFilesScene(service);
    const file = await add(s, { ageDays: 31 });
    const label = table === 'Asset' ? 'retention.claim' : 'retention.claim_uploads';
    let taken = 0;
    const kysely = interceptedQueries(service.pool, {
      async before(statement) {
        if (statement.label !== label || taken > 0) return;
        const sql = `UPDATE "${table}" SET "${column}" = $2 WHERE "id" = $1`;
        taken += (await service.pool.query(sql, [file.id, s.clock.now()])).rowCount ?? 0;
      },
    });
    const report = await night({ ...s, cron: { ...s.cron, kysely } });
    expect([taken, report.files.removed]).toEqual([1, 0]);
    expect(report.assets.kept['in-flight']).toBe(table === 'Asset' ? 1 : 0);
    expect(s.store.files.has(file.pathname)).toBe(true);
  });

  it('keeps a file that changed between decision and deletion, and finds it alive the next night', async () => {
    const s = await quietFilesScene(service);
    const file = await addAsset(s, { ageDays: 31 });
    const upload = await addUpload(s, { ageDays: 31 });
    for (const { pathname } of [file, upload])
      await putOld(s, pathname, Buffer.from('other bytes'), s.clock.now());
    expect(await night(s)).toMatchObject({ assets: { expired: 0, kept: { changed: 1 } }, uploads: 0 });
    expect(s.store.files.size).toBe(2);
    const row = await service.db.asset.findUniqueOrThrow({ where: { id: file.id } });
    expect(row).toMatchObject({ deletedAt: null, expiringAt: null });
    await reviewAsset(s.ctx, { assetId: file.id, review: 'approve' });
    const { uploads } = await listUploads(s.ctx);
    expect(uploads.map(({ id }) => id)).toEqual([upload.id]);
  });

  const CLAIMS = new Set(['retention.claim', 'retention.claim_uploads']);
  const keepers: [
    what: string,
    add: typeof addAsset | typeof addUpload,
    keep: (s: FilesScene, file: { id: string }) => Promise<unknown>,
  ][] = [
    ['an avatar', addAsset, (s, { id }) => saveAvatar(s.ctx, { assetId: id, name: 'Camille' })],
    ['a lesson', addAsset, (s, { id }) => addLesson(s.ctx, { assetId: id, text: 'Moins de contraste.' })],
    [
      'a new concept',
      addAsset,
      (s, { id }) => attachToNewConcept(s.ctx, { assetId: id, productId: 'libre', name: 'Automne' }),
    ],
    [
      'a concept that is there',
      addAsset,
      async (s, { id }) => {
        const { id: conceptId } = await addConcept(s.ctx, { productId: 'libre', name: 'Hiver' });
        return attachToConcept(s.ctx, { assetId: id, conceptId });
      },
    ],
    ['an approval', addAsset, (s, { id }) => reviewAsset(s.ctx, { assetId: id, review: 'approve' })],
    ['a rush', addUpload, (s, { id }) => keepCaptureRush(s.ctx, { uploadId: id, title: 'Atelier, matin' })],
  ];

  it.each(keepers)(
    'who keeps a file (%s) while the night decides about it waits, and finds it gone',
    async (_, add, keep) => {
      const s = await quietFilesScene(service);
      const file = await add(s, { ageDays: 31 });
      const keeping: Promise<string>[] = [];
      const kysely = interceptedQueries(service.pool, {
        async before({ label }) {
          if (!CLAIMS.has(label) || keeping.length > 0) return;
          keeping.push(
            keep(s, file).then(
              () => 'kept',
              ({ code }) => code,
            ),
          );
          await Promise.race([untilBlocked(service), ...keeping]);
        },
      });
      const report = await night({ ...s, cron: { ...s.cron, kysely } });
      expect(await Promise.all(keeping)).toEqual(['not_found']);
      expect(report.files.removed).toBe(1);
    },
  );

  it('never lets a file be kept and deleted at once', async () => {
    const s = await quietFilesScene(service);
    const files = [];
    for (let n = 0; n < 60; n += 1) files.push(await addAsset(s, { ageDays: 40 }));
    const keep = async ({ id }: { id: string }, n: number): Promise<string> => {
      try {
        await (n % 2
          ? reviewAsset(s.ctx, { assetId: id, review: 'approve' })
          : saveAvatar(s.ctx, { assetId: id, name: 'Visage' }));
        return 'kept';
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    // Ten before the night, the others while the files of its first decision go: it decides about ten at a time.
    const before = await Promise.all(files.slice(0, 10).map(keep));
    const deleting = Promise.withResolvers<void>();
    const { delete: remove } = s.store;
    s.store.delete = (...asked) => {
      deleting.resolve();
      return remove(...asked);
    };
    const [report, ...meanwhile] = await Promise.all([
      night(s, { batch: 10 }).finally(() => deleting.resolve()),
      ...files.slice(10).map(async (file, n) => {
        await deleting.promise;
        await new Promise((done) => setTimeout(done, n % 7));
        return keep(file, n);
      }),
    ]);
    const outcomes = [...before, ...meanwhile];
    expect(new Set(outcomes)).toEqual(new Set(['kept', 'not_found']));
    for (const [n, file] of files.entries())
      expect(s.store.files.has(file.pathname), `file ${n}`).toBe(outcomes[n] === 'kept');
    expect(report.assets.expired).toBe(outcomes.filter((outcome) => outcome !== 'kept').length);
  });
});
