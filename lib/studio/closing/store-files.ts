import { faultFields } from '#lib/core/faults.ts';
import type { FileStore } from '#lib/storage/file-store.ts';
import { markOrigin } from '#lib/storage/media/provenance/provenance.ts';
import { generationFolder } from '#lib/storage/pathnames.ts';
import type { StudioContext } from '../context.ts';
import { digitalSourceOf } from '../generation/digital-source.ts';
import type { Generation } from '../generation/generation.ts';
import type { Delivered, DeliveredFile } from '../generation/outcome.ts';
import type { Artifact } from '../generation/params.ts';
import { MAX_RENDER_FILES } from '../limits.ts';
import { measureBytes } from './measure-stored.ts';

/** The store did not take the file. */
export class NotStored extends Error {
  constructor(cause: unknown) {
    super('the file could not be stored', { cause });
    this.name = 'NotStored';
  }
}

const STORE_ATTEMPTS = 2;

/** The files of a delivery as the store holds them: those that lie there already, else written now. Throws NotStored. */
export async function storeDelivered(
  ctx: StudioContext,
  row: Generation,
  outcome: Delivered,
): Promise<Artifact[]> {
  if (outcome.stored) return outcome.stored;
  let failure: unknown = new Error('no file store');
  for (let attempt = 0; ctx.studio.store && attempt < STORE_ATTEMPTS; attempt += 1) {
    try {
      return await storeFiles(ctx.studio.store, row, outcome.files);
    } catch (error) {
      failure = error;
    }
  }
  ctx.log.error('generation.not_stored', {
    generationId: row.id,
    ...faultFields(failure),
  });
  throw new NotStored(failure);
}

/**
 * Writes the files under their deterministic pathnames, each marked as made by a model: with its maker's manifest, untouched, or with
 * a mark of ours. The first writer wins: a file that another closer wrote is returned as it is stored, with its own ETag and measures. Throws
 * when the store does.
 */
export async function storeFiles(
  store: FileStore,
  row: Pick<Generation, 'id' | 'accountId' | 'references' | 'params'>,
  files: readonly DeliveredFile[],
): Promise<Artifact[]> {
  const source = digitalSourceOf(row);
  const artifacts: Artifact[] = [];
  for (const file of files) {
    const { contentType } = file;
    const { bytes, provenance } = markOrigin(file.bytes, { contentType, source });
    const pathname = `${generationFolder(row.id)}${file.name}`;
    const stored = await putOnce(store, pathname, bytes, contentType);
    if (stored.other) {
      const { etag, other } = stored;
      const lying = { pathname, contentType: stored.contentType, bytes: other.byteLength, etag };
      artifacts.push({ ...lying, ...(await measureBytes(other, stored.contentType, row.accountId)) });
      continue;
    }
    artifacts.push({
      pathname,
      contentType,
      bytes: bytes.byteLength,
      etag: stored.etag,
      provenance,
      ...(file.width === undefined ? {} : { width: file.width }),
      ...(file.height === undefined ? {} : { height: file.height }),
      ...(file.durationMs === undefined ? {} : { durationMs: file.durationMs }),
    });
  }
  return artifacts;
}

/**
 * Writes bytes at a pathname unless a file is there. Returns whether it holds these bytes, written now or before, or `other` ones that were
 * written first.
 */
async function putOnce(
  store: FileStore,
  pathname: string,
  bytes: Uint8Array,
  contentType: string,
): Promise<{ etag: string; contentType: string; other?: Uint8Array }> {
  try {
    return await store.put(pathname, bytes, { contentType, onlyNew: true });
  } catch (error) {
    // Stores report an existing file with different errors: whether it exists is checked instead.
    const found = await store.head(pathname).catch(() => null);
    const read = found && (await store.read(pathname, { maxBytes: found.bytes }));
    if (!found || !read) throw error;
    const isSame = Buffer.compare(read.bytes, bytes) === 0;
    return { etag: found.etag, contentType: found.contentType, ...(isSame ? {} : { other: read.bytes }) };
  }
}

/** What the store holds of a generation, at most MAX_RENDER_FILES + 1 files. */
export async function listStoredFiles(store: FileStore, generationId: string): Promise<Artifact[]> {
  const { files } = await store.list({ prefix: generationFolder(generationId), limit: MAX_RENDER_FILES + 1 });
  const artifacts: Artifact[] = [];
  for (const file of files) {
    const found = await store.head(file.pathname);
    if (!found) continue;
    const { pathname, contentType, bytes, etag } = found;
    artifacts.push({ pathname, contentType, bytes, etag });
  }
  return artifacts;
}
