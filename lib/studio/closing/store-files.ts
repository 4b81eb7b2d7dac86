import { recordAudits } from '#lib/core/audit.ts';
import { faultFields } from '#lib/core/faults.ts';
import type { FileStore } from '#lib/storage/file-store.ts';
import { generationFolder } from '#lib/storage/pathnames.ts';
import type { StudioContext } from '../context.ts';
import type { Generation } from '../generation/generation.ts';
import type { DeliveredFile } from '../generation/outcome.ts';
import type { Artifact } from '../generation/params.ts';
import { MAX_RENDER_FILES } from '../limits.ts';

/** Writes the files under their deterministic pathnames: doing it again changes nothing. Throws when the store does. */
export async function storeFiles(
  store: FileStore,
  generationId: string,
  files: readonly DeliveredFile[],
): Promise<Artifact[]> {
  const artifacts: Artifact[] = [];
  for (const file of files) {
    const pathname = `${generationFolder(generationId)}${file.name}`;
    const stored = await store.put(pathname, file.bytes, { contentType: file.contentType });
    artifacts.push({
      pathname,
      contentType: file.contentType,
      bytes: file.bytes.byteLength,
      etag: stored.etag,
      ...(file.width === undefined ? {} : { width: file.width }),
      ...(file.height === undefined ? {} : { height: file.height }),
      ...(file.durationMs === undefined ? {} : { durationMs: file.durationMs }),
    });
  }
  return artifacts;
}

/** What the store holds of a generation, at most MAX_RENDER_FILES + 1 files. */
export async function listFolder(store: FileStore, generationId: string): Promise<Artifact[]> {
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

/**
 * Deletes at once whatever lies in the folder of a generation that failed, and audits `generation.files_discarded`. Bytes
 * that the store refuses to delete are audited `generation.files_delete_failed`; retention's orphan pass retakes them.
 */
export async function discardFolder(
  ctx: StudioContext,
  row: Generation,
  input: { by: string; reason: string },
): Promise<void> {
  const { store } = ctx.studio;
  if (!store) return;
  const pathnames: string[] = [];
  let failed = false;
  try {
    let cursor: string | undefined;
    do {
      const page = await store.list({ prefix: generationFolder(row.id), ...(cursor ? { cursor } : {}) });
      const found = page.files.map((file) => file.pathname);
      pathnames.push(...found);
      await store.delete(found);
      cursor = page.cursor;
    } while (cursor);
  } catch {
    failed = true;
  }
  if (pathnames.length === 0 && !failed) return;
  await recordAudits(ctx.sql, ctx, [
    {
      action: failed ? 'generation.files_delete_failed' : 'generation.files_discarded',
      accountId: row.accountId,
      subject: { type: 'generation', id: row.id },
      data: { ...input, pathnames: pathnames.slice(0, 200) },
    },
  ]).catch((error: unknown) =>
    ctx.log.error('generation.discard_unaudited', {
      generationId: row.id,
      files: pathnames.length,
      ...faultFields(error),
    }),
  );
}
