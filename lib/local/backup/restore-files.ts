import { createReadStream } from 'node:fs';
import { checkedStream, OtherBytes } from '#lib/core/net/checked-stream.ts';
import { readCapped } from '#lib/core/net/read-capped.ts';
import type { FileStore } from '#lib/storage/file-store.ts';
import { type DumpedFile, fileOf } from './dump.ts';

/** What was wrong with a dump, or with where it was to be restored. Nothing of it is left there. */
export class RestoreRefused extends Error {}

/** A file of more bytes is never held: it is sent as it is read. */
const HELD_BYTES = 8 * 1_048_576;
/** The store's client sends again what it holds; what was sent as it was read is sent again from here. */
const ATTEMPTS = 3;
const DELETED_AT_ONCE = 500;

/**
 * Puts the files of a dump into an empty store, none larger than a few megabytes held in memory, each compared with its SHA-256 before its last
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

/** Takes these files out of the store again. What it refuses to delete stays: the next restore says that the store is not empty. */
export async function takeBackFiles(store: FileStore, files: readonly DumpedFile[]): Promise<void> {
  for (let at = 0; at < files.length; at += DELETED_AT_ONCE)
    await store
      .delete(files.slice(at, at + DELETED_AT_ONCE).map(({ pathname }) => pathname))
      .catch(() => undefined);
}
