import { describe, expect, test } from 'vitest';
import { createId } from '#lib/core/ids.ts';
import { closeAccount } from '#lib/identity/closing/close-account.ts';
import { eraseClosed } from '#lib/storage/offboarding/erase-closed.ts';
import { listExports, openExport, startExport } from '#lib/storage/offboarding/exports.ts';
import { runExport, runExports } from '#lib/storage/offboarding/run-export.ts';
import { readFiles, readRows, SECTIONS } from '#lib/storage/offboarding/sections.ts';
import { thumbnailPathname } from '#lib/storage/pathnames.ts';
import { makeMember, memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import {
  addAsset,
  addUpload,
  auditsOf,
  DAY_MS,
  type FilesScene,
  filesScene,
} from '#tests/factories/files/files.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

/** An account whose export is made. */
async function exported(): Promise<{ s: FilesScene; exportId: string }> {
  const s = await filesScene(service);
  await addAsset(s);
  const { exportId } = await startExport(s.ctx);
  while (await runExport(s.ctx, { exportId }));
  return { s, exportId };
}
const rows = (s: FilesScene) =>
  service.db.accountExport.findMany({ where: { accountId: s.owner.accountId }, orderBy: { id: 'asc' } });
const nightOf = (s: FilesScene) => ({
  ...testContext(service, { type: 'system', job: 'retention' } as const, { clock: s.clock }),
  files: s.ctx.files,
});

describe('an export', () => {
  test('is audited as it begins, and once for each founder who opens it, however many ranges they ask for', async () => {
    const { s, exportId } = await exported();
    expect((await auditsOf(s, 'account.export_started')).map(({ data }) => data)).toEqual([{ exportId }]);
    const founder = await makeMember(service, s.owner.accountId, { role: 'FOUNDER' });
    const other = { ...s.ctx, actor: memberActor(founder) };
    const opened = async () =>
      (await auditsOf(s, 'account.export_opened')).map(({ actor, data }) => [actor, data]);
    const later = (ctx: typeof s.ctx) => openExport(ctx, { exportId, range: 'bytes=10-20' });
    for (const _ of ['one', 'two']) await later(s.ctx);
    expect(await opened()).toHaveLength(1);
    await later(other);
    expect(new Set((await opened()).map(([actor]) => actor)).size).toBe(2);
    for (const [, data] of await opened()) expect(data).toEqual({ exportId });
  });

  test('that was given up is gone on with by no pass, and of several the one that waited longest goes on first', async () => {
    const begun: { s: FilesScene; exportId: string }[] = [];
    await service.db.accountExport.deleteMany();
    for (const minutes of [4, 1, 0, 2, 3]) {
      const s = await filesScene(service);
      const { exportId } = await startExport(s.ctx);
      const updatedAt = new Date(s.clock.now().getTime() - minutes * 60_000);
      await service.db.accountExport.update({ where: { id: exportId }, data: { updatedAt } });
      begun.push({ s, exportId });
    }
    const [longest, , latest] = begun;
    if (!longest || !latest) throw new Error('none was begun');
    const data = { expiresAt: longest.s.clock.now() };
    await service.db.accountExport.update({ where: { id: longest.exportId }, data });
    // Three a pass.
    expect(await runExports(nightOf(longest.s), { sliceMs: 60_000 })).toBe(3);
    for (const one of begun) {
      const isLeft = one === longest || one === latest;
      expect(await rows(one.s)).toMatchObject([isLeft ? { state: 'RUNNING', parts: 0 } : { state: 'READY' }]);
    }
  });

  test('writes anew the part that a process which died had stored and not told of', async () => {
    const s = await filesScene(service);
    const { exportId } = await startExport(s.ctx);
    const { accountId } = s.owner;
    await service.db.accountExportPart.create({
      data: { exportId, accountId, position: 0, bytes: 1n, directory: Buffer.from('died') },
    });
    expect(await runExport(s.ctx, { exportId })).toBe(false);
    const [made] = await rows(s);
    expect(made).toMatchObject({ state: 'READY' });
    const { headers } = await openExport(s.ctx, { exportId, range: null });
    expect(headers['Content-Length']).toBe(String(made?.bytes));
  });

  test('tells no more done than there is, whatever was added while it was made', async () => {
    const s = await filesScene(service);
    const { exportId } = await startExport(s.ctx);
    for (let n = 0; n < 60; n += 1) await addUpload(s);
    const shown: number[] = [];
    while (await runExport(s.ctx, { exportId, sliceMs: 0, partBytes: 300 })) {
      const [one] = await listExports(s.ctx);
      shown.push((one?.total ?? 0) - (one?.done ?? 0));
    }
    expect(shown.length).toBeGreaterThan(5);
    expect(Math.min(...shown)).toBeGreaterThanOrEqual(0);
  });

  test('holds no secret of a webhook, neither the present one nor that which it replaced', async () => {
    const s = await filesScene(service);
    const at = s.clock.now();
    await service.db.webhookEndpoint.create({
      data: {
        id: createId('webhookEndpoint', at),
        accountId: s.owner.accountId,
        createdById: s.owner.memberId,
        url: 'https://abonne.exemple/',
        events: [],
        createdAt: at,
        updatedAt: at,
        secret: Buffer.from('present'),
        previousSecret: Buffer.from('former'),
      },
    });
    const section = SECTIONS.find((one) => one.table === 'WebhookEndpoint');
    if (section?.kind !== 'rows') throw new Error('no section of webhooks');
    const page = await readRows(service.kysely, section, { accountId: s.owner.accountId, after: '' });
    const [told] = (page?.text ?? '').split('\n').map((line) => JSON.parse(line || '{}') as object);
    expect(told).toMatchObject({ url: 'https://abonne.exemple/' });
    expect(Object.keys(told ?? {}).filter((name) => /secret/i.test(name))).toEqual([]);
  });

  test('lists each file once, and none of the former application, whose bytes lie elsewhere', async () => {
    const s = await filesScene(service);
    const { accountId } = s.owner;
    const file = await addAsset(s);
    await addAsset(s, { imported: true, generationId: null });
    const upload = await addUpload(s);
    const at = s.clock.now();
    const rush = (pathname: string, uploadId: string | null) =>
      service.db.captureRush.create({
        data: {
          id: createId('rush', at),
          ...s.owner,
          productId: 'libre',
          title: 'Matin',
          pathname,
          uploadId,
          contentType: 'video/mp4',
          bytes: 1n,
          createdAt: at,
        },
      });
    await rush(upload.pathname, upload.id);
    await rush('products/libre/seul.mp4', null);
    const listed = async (table: 'Asset' | 'Upload' | 'CaptureRush') =>
      (await readFiles(service.kysely, table, { accountId, after: '' })).map(({ pathname }) => pathname);
    expect(await listed('Asset')).toEqual([file.pathname]);
    expect(await listed('Upload')).toEqual([upload.pathname]);
    expect(await listed('CaptureRush')).toEqual(['products/libre/seul.mp4']);
  });
});

test('a closed account leaves neither the form of an import that nobody read, nor the thumbnail of a file that no generation made; how much went is audited', async () => {
  const s = await filesScene(service);
  const { accountId, memberId } = s.owner;
  const { name } = await service.db.account.findUniqueOrThrow({ where: { id: accountId } });
  const made = await addAsset(s);
  const alone = await addAsset(s, { generationId: null, pathname: `uploads/${accountId}/seul.png` });
  const put = (pathname: string) =>
    s.store.put(pathname, Buffer.from('x'), { contentType: 'application/octet-stream' });
  await put(thumbnailPathname(alone.pathname));
  await put(`imports/${accountId}/${memberId}/${'0a'.repeat(20)}`);
  expect(s.store.files.has(made.pathname)).toBe(true);
  const recently = { ...s.ctx, actor: { ...s.ctx.actor, verifiedAt: s.clock.now() } };
  await closeAccount(recently, { accountId, name });
  s.clock.advance(30 * DAY_MS - 1);
  expect(await eraseClosed(nightOf(s))).toBe(0);
  s.clock.advance(1);
  expect(await eraseClosed(nightOf(s))).toBe(1);
  expect([...s.store.files.keys()]).toEqual([]);
  // The form, and the folder of the one generation; what rows alone name is not counted.
  expect((await auditsOf(s, 'account.erased')).map(({ data }) => data)).toEqual([
    { generations: 1, files: 2 },
  ]);
});
