import { describe, expect, it } from 'vitest';
import { saveJobCursor } from '#lib/core/resource-limits/job-cursor.ts';
import { TimeLimit } from '#lib/core/resource-limits/time-limit.ts';
import { transaction } from '#lib/db/transaction.ts';
import { STORAGE_LIMITS } from '#lib/storage/uploads/judge-hold.ts';
import { recordStoredUpload } from '#lib/storage/uploads/record-upload.ts';
import { setStorageQuota } from '#lib/storage/uploads/set-storage-quota.ts';
import { holdRoom, settleHeldRoom } from '#lib/storage/uploads/settle-held-room.ts';
import {
  claimHold,
  holdStorage,
  readStorageUse,
  takeHoldOrQuota,
} from '#lib/storage/uploads/storage-quota.ts';
import { uploadImage } from '#lib/storage/uploads/upload-image.ts';
import { makeMember, memberActor } from '#tests/factories/account.ts';
import {
  addAsset,
  addUpload,
  DAY_MS,
  type FilesScene,
  filesScene,
  night,
  quietFilesScene,
} from '#tests/factories/files/files.ts';
import { refusalOf } from '#tests/factories/refusal-of.ts';
import { claimedMeanwhile } from '#tests/factories/statements/claimed-meanwhile.ts';
import { oneAcrossAnother } from '#tests/factories/statements/one-across-another.ts';
import { oneBeforeAnother } from '#tests/factories/statements/one-before-another.ts';
import { useTestService } from '#tests/setup/service.ts';
import { PIXEL } from '#tests/simulation/outside.ts';

const service = useTestService({ poolMax: 20 });
const MB = 1_000_000;

const inMinutes = (s: FilesScene, minutes: number) => new Date(s.clock.now().getTime() + minutes * 60_000);
const setQuota = (s: FilesScene, bytes: number) =>
  setStorageQuota(
    { ...s.ctx, actor: { type: 'admin' } },
    { accountId: s.owner.accountId, bytes: BigInt(bytes) },
  );
const hold = (s: FilesScene, bytes: number, stem = 'references/libre/a') =>
  holdStorage(s.ctx, { stem, bytes, expiresAt: inMinutes(s, 15) });
const settle = (s: FilesScene) => settleHeldRoom(s.cron, { accountId: s.owner.accountId });

describe('the storage quota', () => {
  it('is never passed, however many ask for room at once, on however many connections', async () => {
    const s = await filesScene(service);
    const stored = await addAsset(s, { content: 'x'.repeat(MB) });
    await addAsset(s, { content: 'y'.repeat(MB), imported: true, generationId: null });
    await addUpload(s);
    await setQuota(s, 10 * MB);
    const members = await Promise.all(
      Array.from({ length: 6 }, async () => memberActor(await makeMember(service, s.owner.accountId))),
    );
    const asked = await Promise.all(
      Array.from({ length: 48 }, (_, n) =>
        refusalOf(
          holdStorage(
            { ...s.ctx, actor: members[n % 6] as typeof s.ctx.actor },
            { stem: `references/libre/${n}`, bytes: MB, expiresAt: inMinutes(s, 15) },
          ),
        ),
      ),
    );
    expect(asked.filter((refusal) => refusal === null)).toHaveLength(8);
    expect(asked.filter((refusal) => refusal === 'conflict storage-full')).toHaveLength(40);
    const use = await readStorageUse(s.ctx);
    expect(use).toMatchObject({ heldBytes: BigInt(8 * MB), quotaBytes: BigInt(10 * MB) });
    expect(use.storedBytes).toBeGreaterThan(BigInt(MB));
    // Another account's files are its own business, and what is deleted leaves room.
    const stranger = await filesScene(service);
    expect(await refusalOf(hold(stranger, 50 * MB))).toBeNull();
    await service.db.asset.update({ where: { id: stored.id }, data: { deletedAt: new Date() } });
    expect(await refusalOf(hold(s, MB))).toBeNull();
    expect(await refusalOf(hold(s, MB))).toBe('conflict storage-full');
  });

  it('counts a file once another that asks for room, begun before, has it', async () => {
    const s = await filesScene(service);
    await setQuota(s, 3 * MB);
    const ask = () => hold(s, 2 * MB);
    expect(await oneBeforeAnother(service, ask, ask, 'StorageHold')).toEqual(['done', 'conflict']);
    expect(await readStorageUse(s.ctx)).toMatchObject({ heldBytes: BigInt(2 * MB) });
  });

  it('gives each of two files of one name, recorded in one moment, the hold that it was granted', async () => {
    const s = await filesScene(service);
    await hold(s, MB);
    await hold(s, MB);
    // Counted anew, neither would have room by now.
    await setQuota(s, 0);
    const take = (kysely: FilesScene['ctx']['kysely'], suffix: string) =>
      transaction({ kysely }, (tx) =>
        takeHoldOrQuota(tx, {
          ...s.owner,
          pathname: `references/libre/a-${suffix}.png`,
          bytes: MB,
          now: s.clock.now(),
        }),
      );
    expect(
      await oneAcrossAnother(
        service,
        (kysely) => take(kysely, 'x1'),
        /^commit/,
        () => take(service.kysely, 'x2'),
      ),
    ).toEqual(['done', 'done']);
    expect(await readStorageUse(s.ctx)).toMatchObject({ heldBytes: 0n });
  });

  it('lets one caller go on with a hold, also when another asked a moment sooner and is read later', async () => {
    const s = await filesScene(service);
    const stem = 'imports/a';
    await hold(s, MB, stem);
    const { accountId, memberId } = s.owner;
    const claim = (now: Date) => claimHold(s.ctx.kysely, { accountId, memberId, stem, now });
    const asked = s.clock.now();
    const first = await claim(new Date(asked.getTime() + 5));
    expect(first).not.toBeNull();
    expect(await claim(asked)).toBeNull();
    await first?.giveBack();
    // Nor with one that another is taking in that very moment.
    const taking = {
      text: 'UPDATE "StorageHold" SET "expiresAt" = "createdAt" WHERE "stem" = $1',
      values: [stem],
    };
    expect(await claimedMeanwhile(service, taking, () => claim(asked))).toEqual({ came: null, waited: true });
    await first?.giveBack();
    expect(await claim(asked)).not.toBeNull();
  });

  it('counts a file once: held while it is sent, its own bytes once it is recorded, nothing once the store has nothing of it', async () => {
    const s = await filesScene(service);
    await setQuota(s, 100 * MB);
    const folder = `references/libre/${s.owner.accountId}/`;
    await hold(s, 60 * MB, `${folder}rush`);
    expect(await refusalOf(hold(s, 60 * MB))).toBe('conflict storage-full');
    const clip = await import('node:fs/promises').then((fs) =>
      fs.readFile(new URL('../../../fixtures/media/clip.mp4', import.meta.url)),
    );
    await s.store.put(`${folder}rush-x1.mp4`, clip, { contentType: 'video/mp4' });
    const sent = { ...s.owner, productId: 'libre', pathname: `${folder}rush-x1.mp4`, via: 'client' as const };
    await recordStoredUpload(s.ctx, sent);
    const use = await readStorageUse(s.ctx);
    expect(use).toMatchObject({ heldBytes: 0n, storedBytes: BigInt(clip.byteLength) });
    await recordStoredUpload(s.ctx, sent);
    await hold(s, 60 * MB, `${folder}rush`);
    s.clock.advance(16 * 60_000);
    // Its last bytes may still be on their way: the store is not asked yet.
    expect(await settle(s)).toBe(0);
    expect(await refusalOf(hold(s, 60 * MB))).toBe('conflict storage-full');
    s.clock.advance(2 * 3_600_000);
    expect(await settle(s)).toBe(1);
    expect(await readStorageUse(s.ctx)).toMatchObject({ heldBytes: 0n });
    expect(await refusalOf(hold(s, 60 * MB))).toBeNull();
    expect(await service.db.storageHold.count({ where: { accountId: s.owner.accountId } })).toBe(1);
  });

  it('counts what was sent and never told of for as long as it lies in the store, no file of another name with it', async () => {
    const s = await quietFilesScene(service);
    await setQuota(s, 100 * MB);
    const folder = `references/libre/${s.owner.accountId}/`;
    const put = (name: string, bytes: number) =>
      s.store.put(folder + name, new Uint8Array(bytes), { contentType: 'video/mp4' });
    // Two under one name, of which one came; and a name that begins like theirs.
    await hold(s, 60 * MB, `${folder}rush`);
    await hold(s, 20 * MB, `${folder}rush`);
    await put('rush-0a1b2c.mp4', 15 * MB);
    await put('rush-hour-0a1b2c.mp4', 50 * MB);
    for (const hours of [3, 24, 28 * 24]) {
      s.clock.advance(hours * 3_600_000);
      await night(s);
      await settle(s);
      expect(await readStorageUse(s.ctx)).toMatchObject({ heldBytes: BigInt(15 * MB) });
      expect(await refusalOf(hold(s, 86 * MB))).toBe('conflict storage-full');
    }
    s.clock.advance(3 * DAY_MS);
    await night(s);
    expect(s.store.files.size).toBe(0);
    expect(await settle(s)).toBe(1);
    expect(await readStorageUse(s.ctx)).toMatchObject({ heldBytes: 0n });
  });

  it('gives back the room of one of two holds of a name, whoever settles them at once and from whichever on', async () => {
    const s = await quietFilesScene(service);
    await service.db.storageHold.deleteMany();
    const stem = `references/libre/${s.owner.accountId}/rush`;
    await hold(s, 60 * MB, stem);
    s.clock.advance(1_000);
    await hold(s, 20 * MB, stem);
    await s.store.put(`${stem}-0a1b2c.mp4`, new Uint8Array(15 * MB), { contentType: 'video/mp4' });
    s.clock.advance(3 * 3_600_000);
    const first = await service.db.storageHold.findFirstOrThrow({ orderBy: { id: 'asc' } });
    // The night goes on after the first hold, and has come round while a member who waits for room asks the store.
    await saveJobCursor(s.cron, 'held-room', first.id);
    const { list } = s.store;
    let nights = 0;
    s.store.list = async (options) => {
      if (nights === 0) {
        nights += 1;
        await settleHeldRoom(s.cron);
      }
      return list(options);
    };
    await settle(s);
    expect(nights).toBe(1);
    expect(await readStorageUse(s.ctx)).toMatchObject({ heldBytes: BigInt(15 * MB) });
    expect(await service.db.storageHold.count()).toBe(1);
  });

  it('asks of every hold in turn, night after night, however few a night has time for, and whatever the store refuses', async () => {
    const s = await quietFilesScene(service);
    await service.db.storageHold.deleteMany();
    const stems = ['a', 'b', 'c', 'd'].map((name) => `references/libre/${s.owner.accountId}/${name}`);
    for (const stem of stems) {
      await hold(s, MB, stem);
      await s.store.put(`${stem}-x1.mp4`, new Uint8Array(MB), { contentType: 'video/mp4' });
      s.clock.advance(1_000);
    }
    s.clock.advance(3 * 3_600_000);
    // A night has time for two of them: each lies there, and stays.
    const { list } = s.store;
    let elapsedMs = 0;
    let asked: string[] = [];
    s.store.list = (options) => {
      elapsedMs += 10_000;
      asked.push(options.prefix.slice(0, -1));
      return list(options);
    };
    const pass = () => {
      asked = [];
      return settleHeldRoom(s.cron, {}, new TimeLimit(15_000, () => elapsedMs));
    };
    await pass();
    expect(asked).toEqual([stems[0], stems[1]]);
    await pass();
    expect(asked).toEqual([stems[2], stems[3]]);
    const slow = s.store.list;
    s.store.list = async (options) => {
      const listed = await slow(options);
      if (options.prefix.startsWith(`${stems[0]}-`)) throw new Error('503');
      return listed;
    };
    await expect(pass()).rejects.toThrow('503');
    expect(asked).toEqual([stems[0], stems[1]]);
    await pass();
    expect(asked).toEqual([stems[2], stems[3]]);
    expect(await service.db.storageHold.count()).toBe(4);
  });

  it('gives back room that nothing took, however many files begin with its name', async () => {
    const s = await filesScene(service);
    const folder = `references/libre/${s.owner.accountId}/`;
    const put = (name: string) => s.store.put(folder + name, new Uint8Array(1), { contentType: 'video/mp4' });
    await hold(s, MB, `${folder}a`);
    await hold(s, MB, `${folder}a-b`);
    // Files of other names, of which one begins and one goes on as a granted name would.
    for (let n = 0; n < 3_500; n += 1) await put(n % 2 === 0 ? `ab${n}-x1.mp4` : `a-b-c${n}-x1.mp4`);
    s.clock.advance(3 * 3_600_000);
    expect(await settle(s)).toBe(2);
    expect(await readStorageUse(s.ctx)).toMatchObject({ heldBytes: 0n });
  });

  it('asks for one file where the whole name was granted, and lists nothing', async () => {
    const s = await filesScene(service);
    const folder = `references/libre/${s.owner.accountId}/`;
    for (const name of ['vide-x1.mp4', 'plein-x1.mp4']) await hold(s, MB, folder + name);
    await hold(s, MB, `imports/${s.owner.accountId}/a`);
    await s.store.put(`${folder}plein-x1.mp4`, new Uint8Array(7), { contentType: 'video/mp4' });
    s.store.list = () => Promise.reject(new TypeError('a list was asked for'));
    s.clock.advance(3 * 3_600_000);
    expect(await settle(s)).toBe(2);
    expect(await readStorageUse(s.ctx)).toMatchObject({ heldBytes: 7n });
  });

  it('lets no name of more files than there is time for keep those after it waiting', async () => {
    const s = await filesScene(service);
    const folder = `references/libre/${s.owner.accountId}/`;
    await hold(s, MB, `${folder}a`);
    await hold(s, MB, `${folder}b`);
    const { list } = s.store;
    s.store.list = async (options) => {
      if (!options.prefix.endsWith('/a-')) return list(options);
      s.clock.advance(1_000);
      return { files: [], cursor: 'more' };
    };
    s.clock.advance(3 * 3_600_000);
    expect(await settle(s)).toBe(1);
    expect(await readStorageUse(s.ctx)).toMatchObject({ heldBytes: BigInt(MB) });
  });

  it('asks the store itself when there is no room left, and gives no room back that the store could not tell of', async () => {
    const s = await filesScene(service);
    await setQuota(s, 100 * MB);
    await hold(s, 90 * MB, `references/libre/${s.owner.accountId}/rush`);
    s.clock.advance(3 * 3_600_000);
    const ask = () =>
      holdRoom(s.ctx, { stem: 'references/libre/b', bytes: 60 * MB, expiresAt: inMinutes(s, 15) });
    const { list } = s.store;
    s.store.list = () => Promise.reject(new TypeError('the store is silent'));
    expect(await refusalOf(ask())).toBe('conflict storage-full');
    expect(s.lines).toContainEqual(expect.objectContaining({ event: 'storage.room_unsettled' }));
    s.store.list = list;
    expect(await refusalOf(ask())).toBeNull();
    expect(await readStorageUse(s.ctx)).toMatchObject({ heldBytes: BigInt(60 * MB) });
  });

  it('is not passed by files that are told of late, nor by a token that is used again: what has no room is deleted', async () => {
    const s = await filesScene(service);
    const folder = `references/libre/${s.owner.accountId}/`;
    const clip = await import('node:fs/promises').then((fs) =>
      fs.readFile(new URL('../../../fixtures/media/clip.mp4', import.meta.url)),
    );
    await setQuota(s, clip.byteLength);
    const sent = async (name: string) => {
      const pathname = folder + name;
      await s.store.put(pathname, clip, { contentType: 'video/mp4' });
      return { ...s.owner, productId: 'libre', pathname, via: 'confirm' as const };
    };
    await hold(s, clip.byteLength, `${folder}un`);
    const [first, again] = [await sent('un-x1.mp4'), await sent('un-x2.mp4')];
    // Its room is nobody else's to take, however late it is told of.
    s.clock.advance(5 * 3_600_000);
    await settle(s);
    expect(await refusalOf(hold(s, clip.byteLength, `${folder}deux`))).toBe('conflict storage-full');
    expect(await refusalOf(recordStoredUpload(s.ctx, first))).toBeNull();
    expect(await refusalOf(recordStoredUpload(s.ctx, again))).toBe('conflict storage-full');
    expect([...s.store.files.keys()]).toEqual([first.pathname]);
    expect(await readStorageUse(s.ctx)).toMatchObject({
      storedBytes: BigInt(clip.byteLength),
      heldBytes: 0n,
    });
  });

  it('is not passed by files of one token that are told of at once: one of them has its hold', async () => {
    const s = await filesScene(service);
    const folder = `references/libre/${s.owner.accountId}/`;
    const clip = await import('node:fs/promises').then((fs) =>
      fs.readFile(new URL('../../../fixtures/media/clip.mp4', import.meta.url)),
    );
    const sent = async (name: string) => {
      const pathname = folder + name;
      await s.store.put(pathname, clip, { contentType: 'video/mp4' });
      return { ...s.owner, productId: 'libre', pathname, via: 'confirm' as const };
    };
    await setQuota(s, 2 * clip.byteLength);
    await hold(s, clip.byteLength, `${folder}avant`);
    // Its bytes are measured here: the others are then written at the same moment.
    await recordStoredUpload(s.ctx, await sent('avant-x1.mp4'));
    await hold(s, clip.byteLength, `${folder}un`);
    const together = await Promise.all(Array.from({ length: 6 }, (_, n) => sent(`un-x${n}.mp4`)));
    const { head } = s.store;
    const { promise: allAsked, resolve: go } = Promise.withResolvers<void>();
    let asking = 0;
    s.store.head = async (...asked) => {
      asking += 1;
      if (asking === together.length) go();
      await allAsked;
      return head(...asked);
    };
    const said = await Promise.all(together.map((one) => refusalOf(recordStoredUpload(s.ctx, one))));
    expect(said.filter((refusal) => refusal === null)).toHaveLength(1);
    expect(said.filter((refusal) => refusal === 'conflict storage-full')).toHaveLength(5);
    expect(s.store.files.size).toBe(2);
    expect(await readStorageUse(s.ctx)).toMatchObject({
      storedBytes: BigInt(2 * clip.byteLength),
      heldBytes: 0n,
    });
  });

  it('is not passed under a hold of fewer bytes than the file has', async () => {
    const s = await filesScene(service);
    const folder = `references/libre/${s.owner.accountId}/`;
    const clip = await import('node:fs/promises').then((fs) =>
      fs.readFile(new URL('../../../fixtures/media/clip.mp4', import.meta.url)),
    );
    await setQuota(s, clip.byteLength - 1);
    await hold(s, 1, `${folder}rush`);
    const pathname = `${folder}rush-x1.mp4`;
    await s.store.put(pathname, clip, { contentType: 'video/mp4' });
    const sent = { ...s.owner, productId: 'libre', pathname, via: 'confirm' as const };
    expect(await refusalOf(recordStoredUpload(s.ctx, sent))).toBe('conflict storage-full');
    expect(s.store.files.size).toBe(0);
  });

  it('records what was told of within a day of its arrival, and nothing that retention may be about to take', async () => {
    const s = await filesScene(service);
    const folder = `references/libre/${s.owner.accountId}/`;
    const clip = await import('node:fs/promises').then((fs) =>
      fs.readFile(new URL('../../../fixtures/media/clip.mp4', import.meta.url)),
    );
    const sent = async (name: string) => {
      await s.store.put(folder + name, clip, { contentType: 'video/mp4' });
      return { ...s.owner, productId: 'libre', pathname: folder + name, via: 'confirm' as const };
    };
    const [within, late] = [await sent('a-x1.mp4'), await sent('b-x1.mp4')];
    s.clock.advance(86_400_000);
    expect(await refusalOf(recordStoredUpload(s.ctx, within))).toBeNull();
    s.clock.advance(1);
    expect(await refusalOf(recordStoredUpload(s.ctx, late))).toBe('invalid upload-stale');
  });

  it('tells why a file was refused from the moment that its bytes are gone', async () => {
    const s = await filesScene(service);
    const pathname = `references/libre/${s.owner.accountId}/faux-x1.mp4`;
    const bytes = Buffer.from('no clip');
    await hold(s, bytes.byteLength, `references/libre/${s.owner.accountId}/faux`);
    await s.store.put(pathname, bytes, { contentType: 'video/mp4' });
    const sent = { ...s.owner, productId: 'libre', pathname, via: 'confirm' as const };
    const { delete: remove } = s.store;
    const meanwhile: (string | null)[] = [];
    s.store.delete = async (...asked) => {
      const removed = await remove(...asked);
      s.store.delete = remove;
      meanwhile.push(await refusalOf(recordStoredUpload(s.ctx, sent)));
      return removed;
    };
    const told = await refusalOf(recordStoredUpload(s.ctx, sent));
    expect(told).toMatch(/^reference-refused /);
    expect(meanwhile).toEqual([told]);
  });

  it('is asked before an image is kept, and what the store refuses is given back at once, what a lying file held once nothing can be sent in its place', async () => {
    const s = await filesScene(service);
    await setQuota(s, PIXEL.byteLength);
    const { put } = s.store;
    s.store.put = () => Promise.reject(new Error('503'));
    await expect(uploadImage(s.ctx, { productId: 'libre', bytes: PIXEL })).rejects.toThrow('503');
    s.store.put = put;
    await uploadImage(s.ctx, { productId: 'libre', bytes: PIXEL });
    const before = s.store.files.size;
    expect(await refusalOf(uploadImage(s.ctx, { productId: 'libre', bytes: PIXEL }))).toBe(
      'conflict storage-full',
    );
    expect(s.store.files.size).toBe(before);
    await setQuota(s, MB);
    const folder = `references/libre/${s.owner.accountId}/`;
    await hold(s, MB / 2, `${folder}faux`);
    await s.store.put(`${folder}faux-1.mp4`, Buffer.from('not a clip'), { contentType: 'video/mp4' });
    const lying = { ...s.owner, productId: 'libre', pathname: `${folder}faux-1.mp4`, via: 'client' as const };
    const why = await refusalOf(recordStoredUpload(s.ctx, lying));
    expect(why).toContain('reference-refused');
    // Its member's own confirmation comes after the store's callback: the file is gone, and the reason is told.
    expect(s.store.files.has(lying.pathname)).toBe(false);
    const confirmed = { ...lying, via: 'confirm' as const };
    expect(await refusalOf(recordStoredUpload(s.ctx, confirmed))).toBe(why);
    expect(
      await refusalOf(recordStoredUpload(s.ctx, { ...confirmed, pathname: `${folder}faux-2.mp4` })),
    ).toBe('invalid upload-missing');
    expect(await readStorageUse(s.ctx)).toMatchObject({ heldBytes: BigInt(MB / 2) });
    s.clock.advance(3 * 3_600_000);
    expect(await settle(s)).toBe(1);
    expect(await readStorageUse(s.ctx)).toMatchObject({ heldBytes: 0n });
    // Kept no longer than the room was.
    expect(await refusalOf(recordStoredUpload(s.ctx, confirmed))).toBe('invalid upload-missing');
  });

  it('is not passed by an image that a late store took and did not confirm: it is deleted, or keeps its room until the store was asked', async () => {
    const s = await filesScene(service);
    const { put, delete: remove } = s.store;
    s.store.put = async (...args) => {
      await put(...args);
      throw new Error('late');
    };
    const send = () => uploadImage(s.ctx, { productId: 'libre', bytes: PIXEL });
    await expect(send()).rejects.toThrow('late');
    expect(s.store.files.size).toBe(0);
    expect(await readStorageUse(s.ctx)).toMatchObject({ storedBytes: 0n, heldBytes: 0n });
    s.store.delete = () => Promise.reject(new Error('503'));
    await expect(send()).rejects.toThrow('late');
    s.store.delete = remove;
    const held = { storedBytes: 0n, heldBytes: BigInt(PIXEL.byteLength) };
    expect(await readStorageUse(s.ctx)).toMatchObject(held);
    s.clock.advance(3 * 3_600_000);
    expect(await settle(s)).toBe(0);
    expect(await readStorageUse(s.ctx)).toMatchObject(held);
    s.store.files.clear();
    expect(await settle(s)).toBe(1);
    expect(await readStorageUse(s.ctx)).toMatchObject({ heldBytes: 0n });
  });

  it('a member sends a few files at once, and is told when the next one may go', async () => {
    const s = await filesScene(service);
    for (let n = 0; n < STORAGE_LIMITS.sendingPerMember; n += 1) await hold(s, 1, `references/libre/${n}`);
    await expect(hold(s, 1)).rejects.toMatchObject({
      code: 'rate_limited',
      options: { retryAfterSeconds: 15 * 60 },
    });
    const other = memberActor(await makeMember(service, s.owner.accountId)) as typeof s.ctx.actor;
    const room = { stem: 'references/libre/x', bytes: 1, expiresAt: inMinutes(s, 15) };
    await holdStorage({ ...s.ctx, actor: other }, room);
    s.clock.advance(16 * 60_000);
    await hold(s, 1);
  });
});
