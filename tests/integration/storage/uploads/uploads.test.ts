import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { keepCaptureRush, releaseCaptureRush } from '#lib/storage/assets/capture-rushes.ts';
import { deleteUpload } from '#lib/storage/uploads/delete-upload.ts';
import { listUploads } from '#lib/storage/uploads/list-uploads.ts';
import { recordStoredUpload } from '#lib/storage/uploads/record-upload.ts';
import { readStorageUse } from '#lib/storage/uploads/storage-quota.ts';
import { uploadDocument } from '#lib/storage/uploads/upload-image.ts';
import { addConsent } from '#tests/factories/files/consent.ts';
import {
  addGeneration,
  addUpload,
  auditsOf,
  DAY_MS,
  filesScene,
  night,
  quietFilesScene,
} from '#tests/factories/files/files.ts';
import {
  explainedQueries,
  NO_SHORT_CUTS,
  rowsReadFor,
} from '#tests/factories/statements/explained-queries.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { useTestService } from '#tests/setup/service.ts';
import { PIXEL } from '#tests/simulation/outside.ts';

const service = useTestService();

const PDF = (end = 'startxref\n9\n%%EOF\n') =>
  new Uint8Array(
    Buffer.from(`%PDF-1.7\n1 0 obj <</Type /Catalog>> endobj\ntrailer <</Root 1 0 R>>\n${end}`, 'latin1'),
  );

describe('a signed document', () => {
  it('is kept as the PDF that it is, counted and audited, and retention keeps it with its consent', async () => {
    const s = await quietFilesScene(service);
    const document = await uploadDocument(s.ctx, {
      productId: 'libre',
      bytes: PDF(),
      fileName: 'accord.pdf',
      declaredType: 'application/pdf',
    });
    expect(document).toMatchObject({ kind: 'DOCUMENT', contentType: 'application/pdf', width: null });
    expect(document.pathname).toMatch(/^references\/libre\/.*\.pdf$/);
    expect(s.store.files.get(document.pathname)?.contentType).toBe('application/pdf');
    expect(await auditsOf(s, 'reference.uploaded')).toHaveLength(1);
    expect(await readStorageUse(s.ctx)).toMatchObject({
      heldBytes: 0n,
      storedBytes: BigInt(PDF().byteLength),
    });
    await addConsent(s, document);
    const orphan = await addUpload(s);
    s.clock.advance(40 * DAY_MS);
    await night(s);
    expect([s.store.files.has(document.pathname), s.store.files.has(orphan.pathname)]).toEqual([true, false]);
  });

  it.each(['', 'application/octet-stream', 'application/x-pdf'])(
    'is kept whatever a browser without a reader of PDF declares: %j',
    async (declaredType) => {
      const s = await filesScene(service);
      const sent = { productId: 'libre', bytes: PDF(), fileName: 'accord.pdf' };
      expect(await uploadDocument(s.ctx, { ...sent, declaredType })).toMatchObject({ kind: 'DOCUMENT' });
      await expect(uploadDocument(s.ctx, { ...sent, declaredType: 'image/png' })).rejects.toMatchObject({
        options: { detail: 'type-mismatch' },
      });
    },
  );

  it.each([
    ['an empty file', new Uint8Array(), 'empty'],
    ['a picture', PIXEL, 'type-not-accepted'],
    ['a page that only begins late as a PDF', Buffer.from('<html>%PDF-1.7'), 'type-not-accepted'],
    ['a PDF that was cut', PDF('startxref'), 'document-unreadable'],
    ['a PDF with another file after it', PDF('startxref\n9\n%%EOF\nPK\u0003\u0004'), 'document-unreadable'],
    ['a PDF of over 4 MB', Buffer.concat([PDF(' '.repeat(4 * 1024 * 1024)), PDF()]), 'too-large'],
  ])('is refused when it is %s, and nothing is kept', async (_, bytes, detail) => {
    const s = await filesScene(service);
    await expect(uploadDocument(s.ctx, { productId: 'libre', bytes })).rejects.toMatchObject({
      code: 'reference-refused',
      options: { detail },
    });
    expect(s.store.files.size).toBe(0);
  });
});

describe('what members sent', () => {
  it('is held in memory a few files at a time, however often it is told of: what waits to be measured lies in the store alone', async () => {
    const s = await filesScene(service);
    const clip = await readFile(new URL('../../../fixtures/media/clip.mp4', import.meta.url));
    const pathname = `references/libre/${s.owner.accountId}/rush-x1.mp4`;
    await s.store.put(pathname, clip, { contentType: 'video/mp4' });
    const { read } = s.store;
    const three = Promise.withResolvers<void>();
    let reading = 0;
    let most = 0;
    s.store.read = async (...asked) => {
      reading += 1;
      most = Math.max(most, reading);
      if (reading === 3) three.resolve();
      await three.promise;
      // Long enough for a fourth to be read too, were there a place for it.
      await new Promise((turn) => setTimeout(turn, 100));
      reading -= 1;
      return read(...asked);
    };
    const told = await Promise.all(
      Array.from({ length: 12 }, () =>
        recordStoredUpload(s.ctx, { ...s.owner, productId: 'libre', pathname, via: 'confirm' }),
      ),
    );
    expect(new Set(told.map(({ id }) => id)).size).toBe(1);
    expect(most).toBe(3);
  });

  it('stays to be confirmed again when this instance has no memory to read it: that is no fault of the file', async () => {
    const s = await filesScene(service);
    const clip = await readFile(new URL('../../../fixtures/media/clip.mp4', import.meta.url));
    const pathname = `references/libre/${s.owner.accountId}/rush-x2.mp4`;
    await s.store.put(pathname, clip, { contentType: 'video/mp4' });
    const confirm = () =>
      recordStoredUpload(s.ctx, { ...s.owner, productId: 'libre', pathname, via: 'confirm' });
    const { read } = s.store;
    s.store.read = () => Promise.reject(new RangeError('Array buffer allocation failed'));
    await expect(confirm()).rejects.toThrow('Array buffer allocation failed');
    s.store.read = read;
    expect(await confirm()).toMatchObject({ kind: 'RUSH', pathname });
  });

  // A reader has 20 s: this one is held for all of them.
  it('stays to be confirmed again when a machine under load does not read it in time: that is no fault of the file', async () => {
    const s = await filesScene(service);
    const clip = await readFile(new URL('../../../fixtures/media/clip.mp4', import.meta.url));
    // A box that nobody reads: the bytes of no other test, which this process may have measured.
    const box = Buffer.from('\0\0\0\x10free12345678', 'latin1');
    const pathname = `references/libre/${s.owner.accountId}/rush-x3.mp4`;
    await s.store.put(pathname, Buffer.concat([clip, box]), { contentType: 'video/mp4' });
    const confirm = () =>
      recordStoredUpload(s.ctx, { ...s.owner, productId: 'libre', pathname, via: 'confirm' });
    const hold = (message: unknown) => {
      const child = (message as { process: ChildProcess }).process;
      child.once('spawn', () => child.kill('SIGSTOP'));
    };
    subscribe('child_process', hold);
    try {
      await expect(confirm()).rejects.toMatchObject({ code: 'unavailable', options: { subject: pathname } });
    } finally {
      unsubscribe('child_process', hold);
    }
    expect(await confirm()).toMatchObject({ kind: 'RUSH', pathname });
  });

  it('is listed with who sent it, where it was used, and why it stays or when it goes; page by page, to its account alone', async () => {
    const s = await filesScene(service);
    const [image, rush, track] = [
      await addUpload(s, { kind: 'IMAGE', ageDays: 3 }),
      await addUpload(s, { kind: 'RUSH', ageDays: 2 }),
      await addUpload(s, { kind: 'TRACK', ageDays: 1 }),
    ];
    await keepCaptureRush(s.ctx, { uploadId: rush.id, title: 'Matin' });
    const file = (upload: { id: string; pathname: string }) => ({
      ref: upload.id,
      pathname: upload.pathname,
    });
    await addGeneration(s, { ageDays: 2, references: { roles: { images: [file(image)] } } });
    await addGeneration(s, { ageDays: 1.5, references: { roles: { fields: { [image.id]: file(image) } } } });
    const last = await addGeneration(s, { ageDays: 1, references: { roles: { startImage: file(image) } } });
    const running = await addGeneration(s, {
      state: 'SUBMITTED',
      references: { roles: { clips: [file(track)] } },
    });
    const first = await listUploads(s.ctx, { limit: 2 });
    const second = await listUploads(s.ctx, { limit: 2, before: first.nextBefore ?? '' });
    const listed = [...first.uploads, ...second.uploads];
    const facts = (one: (typeof listed)[number] | undefined) => ({
      id: one?.id,
      uses: one?.uses,
      lastUse: one?.lastUse?.generationId ?? null,
      lasting: one?.lasting,
    });
    expect(listed.map(facts)).toEqual([
      { id: track.id, uses: 1, lastUse: running, lasting: 'in-flight' },
      { id: rush.id, uses: 0, lastUse: null, lasting: 'rush' },
      { id: image.id, uses: 3, lastUse: last, lasting: null },
    ]);
    expect(second.nextBefore).toBeNull();
    expect(listed[2]?.expiresAt).toEqual(new Date(s.clock.now().getTime() + 27 * DAY_MS));
    expect((await listUploads(s.ctx, { kind: 'RUSH' })).uploads.map(({ id }) => id)).toEqual([rush.id]);
    const stranger = await filesScene(service);
    expect((await listUploads(stranger.ctx)).uploads).toEqual([]);
  });

  it('is asked where it was used for the lines of a page alone, however many files the account has', async () => {
    const s = await filesScene(service);
    for (let ageDays = 1; ageDays <= 12; ageDays += 1) await addUpload(s, { ageDays });
    const plans: string[] = [];
    const kysely = interceptedQueries(service.connection.pool, {
      async before({ text, parameters }) {
        const asked = `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ${text}`;
        const { rows } = await service.pool.query(asked, [...parameters]);
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
      },
    });
    expect((await listUploads({ ...s.ctx, kysely }, { limit: 2 })).uploads).toHaveLength(2);
    expect(plans).toHaveLength(1);
    // Two lines, and the one that says that there are others.
    const scans = [...(plans[0] ?? '').matchAll(/on "Generation" g\w* \(actual[^)]*loops=(\d+)\)/g)];
    expect(Math.max(...scans.map(([, loops]) => Number(loops)))).toBe(3);
  });

  it('is read newest first from an index of what is there, and no running generation of another account with it', async () => {
    const s = await filesScene(service);
    const newest: string[] = [];
    for (const ageDays of [1, 2, 3]) newest.push((await addUpload(s, { ageDays })).id);
    const stranger = await filesScene(service);
    const { id: ref, pathname } = await addUpload(stranger);
    await addGeneration(stranger, {
      state: 'SUBMITTED',
      references: { roles: { clips: [{ ref, pathname }] } },
    });
    const { kysely, plans } = explainedQueries(service, { of: () => true, off: NO_SHORT_CUTS });
    const { uploads } = await listUploads({ ...s.ctx, kysely }, { limit: 2 });
    expect(uploads.map(({ id }) => id)).toEqual(newest.slice(0, 2));
    expect(plans).toHaveLength(1);
    expect(plans[0]).toContain('using "Upload_listed"');
    expect(rowsReadFor(plans[0], { cte: 'in_flight', table: 'Generation', alias: 'g' })).toBe(0);
  });

  it('goes to the bin at a member’s request, once and audited; nothing that something keeps', async () => {
    const s = await filesScene(service);
    const upload = await addUpload(s);
    const kept = await addUpload(s);
    const { id: rushId } = await keepCaptureRush(s.ctx, { uploadId: kept.id, title: 'Soir' });
    await expect(deleteUpload(s.ctx, { uploadId: kept.id })).rejects.toMatchObject({
      code: 'conflict',
      options: { detail: 'rush', subject: kept.id },
    });
    const consent = await addUpload(s);
    await addConsent(s, consent);
    await expect(deleteUpload(s.ctx, { uploadId: consent.id })).rejects.toMatchObject({
      options: { detail: 'consent' },
    });
    const stranger = await filesScene(service);
    await expect(deleteUpload(stranger.ctx, { uploadId: upload.id })).rejects.toMatchObject({
      code: 'not_found',
    });
    const results = await Promise.allSettled(
      [1, 2, 3].map(() => deleteUpload(s.ctx, { uploadId: upload.id })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(s.store.files.has(upload.pathname)).toBe(true);
    expect((await auditsOf(s, 'reference.deleted')).map((entry) => entry.data)).toEqual([
      { pathname: upload.pathname },
    ]);
    await releaseCaptureRush(s.ctx, { rushId });
    await deleteUpload(s.ctx, { uploadId: kept.id });
    expect((await listUploads(s.ctx)).uploads.map(({ id }) => id)).toEqual([consent.id]);
  });
});
