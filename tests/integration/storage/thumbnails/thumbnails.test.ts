import sharp from 'sharp';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { eraseBinned } from '#lib/storage/bin/erase-binned.ts';
import { deleteGenerationFiles } from '#lib/storage/deletion/delete-generation-files.ts';
import { purgeProductBlobs } from '#lib/storage/deletion/purge-product.ts';
import { thumbnailPathname } from '#lib/storage/pathnames.ts';
import type { FileRequest } from '#lib/storage/serving/open-file.ts';
import { openThumbnail } from '#lib/storage/thumbnails/open-thumbnail.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { makeAccount } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import {
  addAsset,
  DAY_MS,
  type FilesScene,
  filesScene,
  night,
  putOld,
  quietFilesScene,
} from '#tests/factories/files/files.ts';
import { claimedMeanwhile } from '#tests/factories/statements/claimed-meanwhile.ts';
import { IMAGE, request, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';
import { until } from '#tests/setup/until.ts';

const service = useTestService();
let picture: Buffer;

beforeAll(async () => {
  const noise = Uint8Array.from(
    { length: 900 * 900 * 3 },
    (_, index) => (Math.imul(index ^ (index >>> 7), 2_654_435_761) >>> 13) % 256,
  );
  picture = await sharp(noise, { raw: { width: 900, height: 900, channels: 3 } })
    .png()
    .toBuffer();
});

const asked = (pathname: string, more: Partial<FileRequest> = {}): FileRequest => ({
  pathname,
  range: null,
  ifRange: null,
  ifNoneMatch: null,
  download: false,
  withoutBody: false,
  ...more,
});

async function withPicture(s: FilesScene, spec: Parameters<typeof addAsset>[1] = {}) {
  const file = await addAsset(s, { ...spec, withoutBytes: true });
  const etag = await putOld(s, file.pathname, picture, s.clock.now());
  await service.db.asset.update({
    where: { id: file.id },
    data: { etag, bytes: BigInt(picture.byteLength) },
  });
  return { ...file, thumbnail: thumbnailPathname(file.pathname) };
}

const open = (s: FilesScene, pathname: string, more: Partial<FileRequest> = {}) =>
  openThumbnail(s.ctx, asked(pathname, more));
const typeOf = (answer: { headers: Record<string, string> }) => answer.headers['Content-Type'];

/** Instances that share the database and the store, and nothing else. */
async function anotherInstance(): Promise<typeof openThumbnail> {
  vi.resetModules();
  return (await import('#lib/storage/thumbnails/open-thumbnail.ts')).openThumbnail;
}

describe('a thumbnail', () => {
  it('is made at the first asking, kept beside its file, and read from then on', async () => {
    const s = await filesScene(service);
    const file = await withPicture(s);
    const put = vi.spyOn(s.store, 'put');
    const first = await open(s, file.pathname);
    expect([first.status, typeOf(first)]).toEqual([200, 'image/webp']);
    expect(Number(first.headers['Content-Length'])).toBeLessThan(picture.byteLength / 3);
    // No range of it is given: none is offered.
    expect(first.headers['Accept-Ranges']).toBe('none');
    const again = await open(s, file.pathname);
    expect(again.headers.ETag).toBe(first.headers.ETag);
    const known = await open(s, file.pathname, { ifNoneMatch: first.headers.ETag ?? '' });
    expect([known.status, known.body]).toEqual([304, null]);
    const head = await open(s, file.pathname, { withoutBody: true });
    expect([head.status, head.body]).toEqual([200, null]);
    expect(put.mock.calls.map(([pathname]) => pathname)).toEqual([file.thumbnail]);
  });

  it('is made once, whoever asks together: those of one instance wait for it, those of others get the file', async () => {
    const s = await filesScene(service);
    const file = await withPicture(s);
    const instances = [openThumbnail, await anotherInstance(), await anotherInstance()];
    const put = vi.spyOn(s.store, 'put');
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        (instances[at % 3] as typeof openThumbnail)(s.ctx, asked(file.pathname)),
      ),
    );
    expect(put).toHaveBeenCalledTimes(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const types = answers.map(typeOf);
    expect(types.filter((type) => type === 'image/webp').length).toBeGreaterThanOrEqual(4);
    expect(typeOf(await open(s, file.pathname))).toBe('image/webp');
  });

  it('is made by whoever claims it: a request in that moment gets the file, and makes no other', async () => {
    const s = await filesScene(service);
    const file = await withPicture(s);
    const put = vi.spyOn(s.store, 'put');
    const claim = {
      text: 'UPDATE "Asset" SET "thumbnailAt" = $2 WHERE "id" = $1',
      values: [file.id, s.clock.now()],
    };
    const { came, waited } = await claimedMeanwhile(service, claim, () => open(s, file.pathname));
    expect([came.status, typeOf(came), waited]).toEqual([200, 'image/png', true]);
    expect(put).not.toHaveBeenCalled();
  });

  it('is read by whoever would have made it, where another records it in that moment', async () => {
    const s = await filesScene(service);
    const file = await withPicture(s);
    await open(s, file.pathname);
    const of = { where: { id: file.id } };
    const { thumbnail } = await service.db.asset.findUniqueOrThrow(of);
    await service.db.asset.update({ ...of, data: { thumbnail: null, thumbnailAt: null } });
    const put = vi.spyOn(s.store, 'put');
    const record = {
      text: 'UPDATE "Asset" SET "thumbnailAt" = $2, "thumbnail" = $3 WHERE "id" = $1',
      values: [file.id, s.clock.now(), thumbnail],
    };
    const { came, waited } = await claimedMeanwhile(service, record, () => open(s, file.pathname));
    expect([came.status, typeOf(came), waited]).toEqual([200, 'image/webp', true]);
    expect(put).not.toHaveBeenCalled();
  });

  it('waits behind its own account’s others alone: a page of heavy pictures keeps no other account’s tile waiting', async () => {
    const [busy, other] = [await filesScene(service), await filesScene(service)];
    const files = [await withPicture(busy), await withPicture(busy), await withPicture(busy)];
    const tile = await withPicture(other);
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const { read } = busy.store;
    let reading = 0;
    busy.store.read = async (...given) => {
      reading += 1;
      await over;
      return read(...given);
    };
    const waiting = files.map(({ pathname }) => open(busy, pathname));
    try {
      await until('the first of its pictures to be read', () => reading > 0);
      // Long enough for another of its pictures to be read too, were there a place for it.
      await new Promise((turn) => setTimeout(turn, 200));
      expect(typeOf(await open(other, tile.pathname))).toBe('image/webp');
      expect(reading).toBe(1);
    } finally {
      end();
    }
    expect((await Promise.all(waiting)).map(typeOf)).toEqual(files.map(() => 'image/webp'));
  });

  it('of another account’s file, or of one that is going, answers like one that is not', async () => {
    const s = await filesScene(service);
    const file = await withPicture(s);
    await open(s, file.pathname);
    const { actor } = await makeAccount(service);
    const stranger = { ...testContext(service, actor, { clock: s.clock, lines: [] }), files: s.ctx.files };
    await expect(openThumbnail(stranger, asked(file.pathname))).rejects.toMatchObject({ code: 'not_found' });
    await service.db.asset.update({ where: { id: file.id }, data: { expiringAt: s.clock.now() } });
    await expect(open(s, file.pathname)).rejects.toMatchObject({ code: 'not_found' });
    await expect(open(s, file.thumbnail)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is not tried again for a file that has none: a bomb, a drawing, what is cut; the file itself is shown', async () => {
    const s = await filesScene(service);
    const bomb = Buffer.from(picture);
    bomb.writeUInt32BE(60_000, 16);
    bomb.writeUInt32BE(60_000, 20);
    for (const content of [bomb, picture.subarray(0, 400), Buffer.from('<svg/>')]) {
      const file = await addAsset(s);
      await putOld(s, file.pathname, content, s.clock.now());
      const read = vi.spyOn(s.store, 'read');
      for (const _ of [1, 2]) expect(typeOf(await open(s, file.pathname))).toBe('image/png');
      expect(read).toHaveBeenCalledTimes(1);
      expect(s.store.files.has(thumbnailPathname(file.pathname))).toBe(false);
      read.mockRestore();
    }
  });

  it('is not made of a clip, nor of a file that would not be smaller: the file itself is shown, whole', async () => {
    const s = await filesScene(service);
    const clip = await addAsset(s, { type: 'VIDEO' });
    const small = await sharp(picture).resize(8, 8).webp({ quality: 1, effort: 6 }).toBuffer();
    const tiny = await addAsset(s);
    await putOld(s, tiny.pathname, small, s.clock.now());
    const put = vi.spyOn(s.store, 'put');
    for (const [{ pathname }, bytes] of [
      [clip, s.store.files.get(clip.pathname)?.content.byteLength],
      [tiny, small.byteLength],
    ] as const)
      for (const _ of [1, 2]) {
        const answer = await open(s, pathname);
        expect([answer.status, Number(answer.headers['Content-Length'])]).toEqual([200, bytes]);
      }
    expect(put).not.toHaveBeenCalled();
  });

  it('is waited for by no request and no debit: what was just delivered has none yet', async () => {
    const { ctx, store } = await studioScene(service);
    const { row, outcome } = await submitGeneration(ctx, { request: request(IMAGE) });
    expect([outcome, row.costMicros]).toEqual(['delivered', row.heldMicros]);
    const [file] = await service.db.asset.findMany({ where: { generationId: row.id } });
    expect(file).toMatchObject({ thumbnail: null, thumbnailAt: null });
    expect([...store.files.keys()]).toEqual([file?.pathname]);
  });

  it('is made later when the store refuses it, when its maker died, and when the store lost it', async () => {
    const s = await filesScene(service);
    const file = await withPicture(s);
    const put = vi.spyOn(s.store, 'put').mockRejectedValueOnce(new Error('refused'));
    expect(typeOf(await open(s, file.pathname))).toBe('image/png');
    // Taken by an instance that was killed.
    await service.db.asset.update({ where: { id: file.id }, data: { thumbnailAt: s.clock.now() } });
    expect(typeOf(await open(s, file.pathname))).toBe('image/png');
    s.clock.advance(61_000);
    expect(typeOf(await open(s, file.pathname))).toBe('image/webp');
    await s.store.delete([file.thumbnail]);
    expect(typeOf(await open(s, file.pathname))).toBe('image/png');
    expect(typeOf(await open(s, file.pathname))).toBe('image/webp');
    expect(put).toHaveBeenCalledTimes(3);
  });

  it('stays for its latest maker to make when one whose time was over fails', async () => {
    const s = await filesScene(service);
    const file = await withPicture(s);
    const takenAt = new Date(s.clock.now().getTime() + 61_000);
    vi.spyOn(s.store, 'read').mockImplementationOnce(async () => {
      await service.db.asset.update({ where: { id: file.id }, data: { thumbnailAt: takenAt } });
      throw new Error('refused');
    });
    expect(typeOf(await open(s, file.pathname))).toBe('image/png');
    const row = await service.db.asset.findUniqueOrThrow({ where: { id: file.id } });
    expect([row.thumbnail, row.thumbnailAt]).toEqual([null, takenAt]);
  });

  it('is made once the store has the file again: one that it lost for a while is no file without a thumbnail', async () => {
    const s = await filesScene(service);
    const file = await withPicture(s);
    const lost = s.store.files.get(file.pathname);
    if (!lost) throw new Error('The scene puts it there.');
    s.store.files.delete(file.pathname);
    await expect(open(s, file.pathname)).rejects.toMatchObject({ code: 'not_found' });
    s.store.files.set(file.pathname, lost);
    expect(typeOf(await open(s, file.pathname))).toBe('image/webp');
  });
});

describe('a thumbnail goes with its file', () => {
  it.each([
    [
      'a member deletes it and a founder erases it',
      async (s: FilesScene, id: string) => {
        await deleteGenerationFiles(s.ctx, { generationId: id });
        await eraseBinned(s.ctx, { kind: 'files', id });
      },
    ],
    ['retention does', (s: FilesScene) => night(s)],
  ])('when %s', async (_, act) => {
    const s = await quietFilesScene(service);
    const file = await withPicture(s, { ageDays: 31 });
    await open(s, file.pathname);
    expect(s.store.files.has(file.thumbnail)).toBe(true);
    await act(s, file.generationId ?? '');
    expect([file.pathname, file.thumbnail].filter((name) => s.store.files.has(name))).toEqual([]);
  });

  it('when its product is purged', async () => {
    const s = await filesScene(service);
    const file = await withPicture(s, { productId: 'ancien-vignette' });
    await open(s, file.pathname);
    await purgeProductBlobs(s.ctx, 'ancien-vignette');
    expect(s.store.files.size).toBe(0);
  });

  it('the next night, when the store refuses to delete it: the row waits for both', async () => {
    const s = await quietFilesScene(service);
    const file = await withPicture(s, { ageDays: 31 });
    await open(s, file.pathname);
    const remove = s.store.delete.bind(s.store);
    const refusing = vi.spyOn(s.store, 'delete').mockImplementation((names, options) => {
      if (names.includes(file.thumbnail)) return Promise.reject(new Error('refused'));
      return remove(names, options);
    });
    expect(await night(s)).toMatchObject({ assets: { expired: 0 }, files: { failed: 1 } });
    refusing.mockRestore();
    expect(await night(s)).toMatchObject({ assets: { expired: 1 } });
    expect(s.store.files.has(file.thumbnail)).toBe(false);
  });

  it('when the file is deleted while it is being made', async () => {
    const s = await filesScene(service);
    const file = await withPicture(s);
    const put = s.store.put.bind(s.store);
    vi.spyOn(s.store, 'put').mockImplementation(async (...given) => {
      await deleteGenerationFiles(s.ctx, { generationId: file.generationId ?? '' });
      return put(...given);
    });
    await expect(open(s, file.pathname)).rejects.toMatchObject({ code: 'not_found' });
    expect([...s.store.files.keys()]).toEqual([file.pathname]);
  });

  it('when the file is deleted while it is being made and the store refuses to delete it: the asker finds no file', async () => {
    const s = await filesScene(service);
    const file = await withPicture(s);
    const put = s.store.put.bind(s.store);
    vi.spyOn(s.store, 'put').mockImplementation(async (...given) => {
      await deleteGenerationFiles(s.ctx, { generationId: file.generationId ?? '' });
      return put(...given);
    });
    vi.spyOn(s.store, 'delete').mockRejectedValue(new Error('refused'));
    await expect(open(s, file.pathname)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('as an orphan, when its maker died after the file was gone; and stays as long as its file is kept', async () => {
    const s = await quietFilesScene(service);
    const kept = await withPicture(s, { ageDays: 40, state: 'APPROVED' });
    await open(s, kept.pathname);
    const gone = thumbnailPathname('generations/gen_gone/image-1.png');
    for (const name of [kept.thumbnail, gone])
      await putOld(s, name, Buffer.from('webp'), new Date(s.clock.now().getTime() - 40 * DAY_MS));
    expect(await night(s)).toMatchObject({ orphans: { expired: 1 } });
    expect(s.store.files.has(kept.thumbnail)).toBe(true);
    expect(s.store.files.has(gone)).toBe(false);
  });
});
