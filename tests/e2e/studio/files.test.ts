import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { localSecrets } from '#lib/local/secrets.ts';
import { saveAvatar } from '#lib/storage/assets/avatars.ts';
import { keepCaptureRush } from '#lib/storage/assets/capture-rushes.ts';
import type { RetentionReport } from '#lib/storage/retention/report.ts';
import { addAsset, addGeneration, addUpload, putOld } from '#tests/factories/files/files.ts';
import { useBrowser } from '../setup/browser.ts';
import { type Caller, callerOf } from '../setup/caller.ts';
import { enterAs, onAppDatabase } from '../setup/scenes/app.ts';
import { openScenes, type Scenes, type Seat } from '../setup/scenes/brain.ts';
import { leaveProduct } from '../setup/scenes/desk.ts';
import { openFilesOf, type ServedFiles } from '../setup/scenes/files.ts';

const browser = useBrowser();
const app = inject('app');
let scenes: Scenes;
let seat: Seat;
let caller: Caller;
let files: ServedFiles;

beforeAll(async () => {
  scenes = await openScenes(app);
  seat = await scenes.seat();
  caller = callerOf(app.baseUrl, seat);
  files = await openFilesOf(app, seat);
});
afterAll(async () => {
  await files?.close();
  await scenes?.close();
});

/** The audit entries of one action, from the export of this founder's audit, oldest first. */
async function exported(action: string): Promise<{ data: unknown }[]> {
  const { status, bytes } = await caller.file('/audit/export?format=json');
  expect(status).toBe(200);
  const entries = JSON.parse(Buffer.from(bytes).toString()) as { action: string; data: unknown }[];
  return entries.filter((entry) => entry.action === action).toReversed();
}

const isStored = async (pathname: string) => (await files.scene.store.head(pathname)) !== null;

async function openPurge(page: Page, productId: string) {
  await page.goto('/produits');
  await page.getByRole('button', { name: `Purger ${productId}` }).click();
  return page.locator('[data-panel]');
}

describe('a file over the wire', () => {
  it('says its size, whole, by HEAD and in part', async () => {
    const { pathname } = await addAsset(files.scene, { content: 'x'.repeat(50_000) });
    const read = async (method: string, range?: string) => {
      const response = await fetch(`${app.baseUrl}/api/files/${pathname}`, {
        method,
        headers: { cookie: `${seat.cookie.name}=${seat.cookie.value}`, ...(range ? { range } : {}) },
      });
      const received = (await response.arrayBuffer()).byteLength;
      return [response.status, response.headers.get('content-length'), received];
    };
    expect(await read('GET')).toEqual([200, '50000', 50_000]);
    expect(await read('HEAD')).toEqual([200, '50000', 0]);
    expect(await read('GET', 'bytes=100-40099')).toEqual([206, '40000', 40_000]);
  });
});

describe('a product purge, from the page of a founder', () => {
  const productId = 'cire-d-hier';

  it('deletes every file of a product that left, resumes once nothing runs, and leaves its audit, rows and costs', async () => {
    const s = files.scene;
    const face = await addAsset(s, { productId, state: 'APPROVED' });
    await saveAvatar(s.ctx, { assetId: face.id, name: 'Camille' });
    const other = await addAsset(s, { productId, ageDays: 3 });
    const upload = await addUpload(s, { productId });
    await keepCaptureRush(s.ctx, { uploadId: upload.id, title: 'Matin' });
    const folder = [`products/${productId}/logo.svg`, `products/${productId}/photos/atelier.png`];
    for (const pathname of folder) await putOld(s, pathname, Buffer.from(pathname), s.clock.now());
    const runningId = await addGeneration(s, { productId, state: 'SUBMITTED' });
    const draft = await addAsset(s, { productId, generationId: runningId });
    const bystanders = [
      (await addAsset(s, {})).pathname,
      `products/${productId}-bis/logo.svg`,
      'avatars/visage.png',
    ];
    for (const pathname of bystanders.slice(1)) await putOld(s, pathname, Buffer.from('x'), s.clock.now());
    // Not due for a day, so that no sweep closes it during the test.
    await s.service.pool.query(`UPDATE "Generation" SET "dueAt" = now() + interval '1 day' WHERE "id" = $1`, [
      runningId,
    ]);
    const sizeOf = async (pathname: string) => (await s.store.head(pathname))?.bytes ?? 0;
    let bytes = 0;
    for (const pathname of [face.pathname, other.pathname, upload.pathname, ...folder])
      bytes += await sizeOf(pathname);
    const draftBytes = await sizeOf(draft.pathname);
    expect((await caller.file(`/api/files/${face.pathname}`)).status).toBe(200);

    const page = await browser.newPage();
    await page.context().addCookies([{ ...seat.cookie, url: app.baseUrl }]);
    const dialog = await openPurge(page, productId);
    await dialog.getByLabel(/Pour confirmer/).fill(productId);
    await dialog.getByRole('button', { name: 'Supprimer définitivement' }).click();
    await dialog.getByText(/des générations de ce produit ne sont pas terminées/).waitFor();
    expect(await isStored(draft.pathname)).toBe(true);
    await s.service.pool.query(
      `UPDATE "Generation" SET "state" = 'FAILED', "code" = 'video_timeout', "closedAt" = now() WHERE "id" = $1`,
      [runningId],
    );
    await dialog.getByRole('button', { name: 'Reprendre la purge' }).click();
    await dialog.getByText('La purge est complète').waitFor();

    const first = {
      prefix: `products/${productId}/`,
      removedObjects: 5,
      removedBytes: bytes,
      clearedGenerations: 2,
      deletedAssets: 2,
      deletedAvatars: 1,
      deletedReferences: 1,
      clearedCaptures: 1,
      complete: false,
      error: 'running',
    };
    const second = {
      prefix: `products/${productId}/`,
      removedObjects: 1,
      removedBytes: draftBytes,
      clearedGenerations: 1,
      deletedAssets: 1,
      deletedAvatars: 0,
      deletedReferences: 0,
      clearedCaptures: 0,
      complete: true,
      error: null,
    };
    expect((await exported('product.blobs_purged')).map(({ data }) => data)).toEqual([first, second]);
    for (const pathname of [face.pathname, other.pathname, upload.pathname, draft.pathname, ...folder])
      expect(await isStored(pathname), pathname).toBe(false);
    for (const pathname of bystanders) expect(await isStored(pathname), pathname).toBe(true);
    expect((await caller.file(`/api/files/${face.pathname}`)).status).toBe(404);
    const row = await caller.get(`/api/generations/${other.generationId}`);
    expect(row.json).toMatchObject({ status: 'deleted', costUsd: 0.042 });
  });

  it('of a product that is still registered is refused, whatever the form is made to send, and deletes nothing', async () => {
    const page = await browser.newPage();
    const owner = await enterAs(page, app, app.demo?.memberEmail ?? '');
    await onAppDatabase(app, (reached) => leaveProduct(reached, owner, 'gamme-arretee'));
    const pathname = 'products/lumen-bougies/etiquette.png';
    await putOld(files.scene, pathname, Buffer.from('étiquette'), files.scene.clock.now());
    const dialog = await openPurge(page, 'gamme-arretee');
    await dialog
      .locator('input[name=productId]')
      .evaluate((input: HTMLInputElement) => input.setAttribute('value', 'lumen-bougies'));
    await dialog.getByLabel(/Pour confirmer/).fill('lumen-bougies');
    await dialog.getByRole('button', { name: 'Supprimer définitivement' }).click();
    await dialog.getByText(/encore enregistré/).waitFor();
    expect(await isStored(pathname)).toBe(true);
    const purged = { action: 'product.blobs_purged', subjectId: 'lumen-bougies' };
    expect(await files.scene.service.db.auditEntry.count({ where: purged })).toBe(0);
  });
});

describe('GET /api/cron/retention, on the running app', () => {
  async function pass(secret: string): Promise<{ status: number; json: RetentionReport }> {
    const answer = await fetch(`${app.baseUrl}/api/cron/retention`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    return { status: answer.status, json: (await answer.json()) as RetentionReport };
  }

  it('deletes by the rules and answers the report of the spec', async () => {
    const s = files.scene;
    const { CRON_SECRET: secret } = await localSecrets(app.dataDir);
    // A first pass deletes what other tests of this run have left.
    const before = await pass(secret);
    expect(before).toMatchObject({ status: 200, json: { complete: true } });
    const old = { ageDays: 31 };
    const expired = await addAsset(s, old);
    const approved = await addAsset(s, { ...old, state: 'APPROVED' });
    const face = await addAsset(s, old);
    await saveAvatar(s.ctx, { assetId: face.id, name: 'Camille' });
    const recent = await addAsset(s, { ageDays: 29 });
    const upload = await addUpload(s, old);
    const [orphan, young] = ['products/perdu/ancien.png', 'products/perdu/recent.png'];
    for (const pathname of [orphan, young]) await putOld(s, pathname, Buffer.from(pathname), s.clock.now());
    files.agedBy(orphan, 31);

    expect(await pass(`${secret.slice(1)}0`)).toMatchObject({ status: 401 });
    expect(await isStored(expired.pathname)).toBe(true);
    const { status, json: report } = await pass(secret);
    expect(status).toBe(200);
    const { kept } = before.json.assets;
    expect(report).toEqual({
      assets: {
        expired: 1,
        kept: { ...kept, recent: kept.recent + 1, status: kept.status + 1, avatar: kept.avatar + 1 },
      },
      uploads: 1,
      files: { removed: 2, failed: 0 },
      orphans: { scanned: expect.any(Number), expired: 1, failed: 0 },
      complete: true,
    });
    expect(Object.keys(kept).sort()).toEqual([
      'avatar',
      'changed',
      'concept',
      'foreign-store',
      'in-flight',
      'learning',
      'lineage',
      'recent',
      'sibling',
      'status',
    ]);
    for (const pathname of [expired.pathname, upload.pathname, orphan])
      expect(await isStored(pathname), pathname).toBe(false);
    for (const pathname of [approved.pathname, face.pathname, recent.pathname, young])
      expect(await isStored(pathname), pathname).toBe(true);
    expect((await caller.file(`/api/files/${expired.pathname}`)).status).toBe(404);
    expect((await caller.file(`/api/files/${face.pathname}`)).status).toBe(200);
    const told = (await exported('generation.files_expired')).map(({ data }) => data);
    expect(told).toContainEqual({ assetIds: [expired.id], pathnames: [expired.pathname] });
    expect((await exported('reference.expired')).map(({ data }) => data)).toEqual([
      { pathname: upload.pathname },
    ]);
    expect((await caller.get(`/api/generations/${expired.generationId}`)).json).toMatchObject({
      status: 'deleted',
      costUsd: 0.042,
    });
  });
});
