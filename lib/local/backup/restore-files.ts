import { createReadStream } from 'node:fs';
import { checkedStream, OtherBytes } from '#lib/core/net/checked-stream.ts';
import { readCapped } from '#lib/core/net/read-capped.ts';
import type { FileStore } from '#lib/storage/file-store.ts';
import { type DumpedFile, fileOf, RESTORE_MARK } from './dump.ts';

/** The fault of a dump, or of the place to restore it. Nothing of the dump is left there. */
export class RestoreRefused extends Error {}

/** A larger file is streamed, never held in memory. */
const HELD_BYTES = 8 * 1_048_576;
/** The store's client retries what it holds in memory; streamed files are retried here. */
const ATTEMPTS = 3;
const DELETED_AT_ONCE = 500;

/** A mark is the SHA-256 of the dump's manifest, in hexadecimal. */
const MARK_BYTES = 64;

/**
 * Whether the store holds what a restore of this very dump left that was killed, which is written over. False: it holds nothing. `RestoreRefused`
 * when it holds anything else, of which nothing is touched: without the mark of this dump, files of its names are those of a living service.
 */
export async function isLeftOver(
  store: FileStore,
  dump: { id: string; files: readonly DumpedFile[] },
): Promise<boolean> {
  const { files } = await store.list({ prefix: '', limit: 1 });
  if (files.length === 0) return false;
  const mark = await readMark(store);
  if (mark === null) throw new RestoreRefused('The file store is not empty.');
  if (mark !== dump.id)
    throw new RestoreRefused('The file store holds what a restore of another dump left: empty it first.');
  const ours = new Set([RESTORE_MARK, ...dump.files.map(({ pathname }) => pathname)]);
  for (let cursor: string | undefined; ; ) {
    const page = await store.list({ prefix: '', ...(cursor ? { cursor } : {}) });
    const stranger = page.files.find(({ pathname }) => !ours.has(pathname));
    if (stranger)
      throw new RestoreRefused(`The file store is not empty: ${stranger.pathname} is no file of this dump.`);
    cursor = page.cursor;
    if (cursor === undefined) return true;
  }
}

async function readMark(store: FileStore): Promise<string | null> {
  const found = await store.read(RESTORE_MARK, { maxBytes: MARK_BYTES, fresh: true });
  return found && new TextDecoder().decode(found.bytes);
}

/** Says in the store, before its first file comes, of which dump a restore fills it. */
export async function markStore(store: FileStore, id: string): Promise<void> {
  await store.put(RESTORE_MARK, Buffer.from(id), { contentType: 'text/plain', onlyNew: true });
}

/** Takes the mark out again. One that stays is in no folder, and names no file. */
export async function unmarkStore(store: FileStore): Promise<void> {
  await store.delete([RESTORE_MARK]).catch(() => undefined);
}

/**
 * Puts the files of a dump into a store that holds no others, none larger than a few megabytes held in memory, each compared with its SHA-256 before its last
 * bytes go. Throws when the store refuses one (three times), `RestoreRefused` when one is not the file that was dumped any more.
 */
export async function putFiles(
  store: FileStore,
  folder: string,
  files: readonly DumpedFile[],
): Promise<void> {
  for (const [rank, file] of files.entries()) await putFile(store, fileOf(folder, rank), file);
}

async function putFile(
  store: FileStore,
  place: string,
  { pathname, contentType, bytes, sha256 }: DumpedFile,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const stream = createReadStream(place);
    const file = { stream, bytes, sha256 };
    try {
      if (bytes > HELD_BYTES) await store.putStream(pathname, file, { contentType });
      else await store.put(pathname, await readCapped(checkedStream(file).body, bytes), { contentType });
      return;
    } catch (error) {
      if (error instanceof OtherBytes)
        throw new RestoreRefused(`The dump is not whole: ${pathname} is not the file that was dumped.`);
      if (attempt === ATTEMPTS) throw error;
    } finally {
      stream.destroy();
    }
  }
}

/** Deletes these files from the store again, the mark last. A file that it refuses to delete stays, with the mark: the next restore of the dump continues from there. */
export async function takeBackFiles(store: FileStore, files: readonly DumpedFile[]): Promise<void> {
  let isEmptied = true;
  for (let at = 0; at < files.length; at += DELETED_AT_ONCE)
    await store.delete(files.slice(at, at + DELETED_AT_ONCE).map(({ pathname }) => pathname)).catch(() => {
      isEmptied = false;
    });
  if (isEmptied) await unmarkStore(store);
}
