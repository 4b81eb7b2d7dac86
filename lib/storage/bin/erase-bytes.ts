import { recordAudits } from '#lib/core/audit.ts';
import { faultFields } from '#lib/core/faults.ts';
import type { FilesContext } from '../context.ts';
import { requireStore } from '../context.ts';
import { createBudget, STORE_CALL_MS } from '../retention/budget.ts';
import { type Deletion, deleteBytes } from '../retention/delete-bytes.ts';
import { CopyRefused } from '../stores/owned-store.ts';
import type { ErasedFile } from './erase-rows.ts';

/** Time limit for the files of one transaction; the orphan pass deletes the rest. */
const MAX_MS = 10_000;

/**
 * Why bytes were not deleted. `copy`: this database is a copy, and the store belongs to the original service; `refused`: the store refused;
 * `changed`: other bytes replaced them meanwhile; `silent`: the store failed, or did not answer in time.
 */
export type KeptBytes = 'copy' | 'refused' | 'changed' | 'silent';

/** How many files are still in the store, and why the first of them was not deleted. */
export type Unerased = { refused: number; because: KeptBytes | null };

/**
 * Deletes the bytes of erased files, thumbnails too, after their rows were updated. Bytes that the store refuses to delete (audited), or that
 * a crash left, are no longer named by any row: the orphan pass deletes them. `whatever`: also bytes that replaced the recorded ones, which
 * are otherwise left to the orphan pass. Returns how many files remain, and why.
 */
export async function eraseBytes(
  ctx: FilesContext,
  files: readonly ErasedFile[],
  {
    elapsedMs = () => performance.now(),
    whatever = false,
  }: { elapsedMs?: () => number; whatever?: boolean } = {},
): Promise<Unerased> {
  if (files.length === 0) return { refused: 0, because: null };
  const budget = createBudget({ budgetMs: MAX_MS, elapsedMs, storeCallMs: STORE_CALL_MS });
  // Under the current ETag: no other row can name these bytes.
  const versions = whatever ? files.map((file) => ({ ...file, etag: null })) : files;
  const faults: KeptBytes[] = [];
  const onFault = (error: unknown) => void faults.push(kindOf(error));
  const results = await deleteBytes({ store: requireStore(ctx), budget, ctx, onFault }, versions);
  const isThere = (result: Deletion | undefined) =>
    result === 'changed' ? whatever : result === 'failed' || result === 'left';
  const refused = files.filter((_, index) => isThere(results[index]));
  await recordAudits(
    ctx.kysely,
    ctx,
    refused.map(({ refusal }) => refusal),
  );
  if (refused.length === 0) return { refused: 0, because: null };
  // Nothing failed: they changed under our hands, or there was no time left.
  return { refused: refused.length, because: faults[0] ?? (results.includes('left') ? 'silent' : 'changed') };
}

function kindOf(error: unknown): KeptBytes {
  if (error instanceof CopyRefused) return 'copy';
  const { status } = faultFields(error);
  // Asked too often, or too slowly, is no refusal of this file.
  return typeof status === 'number' && status >= 400 && status < 500 && status !== 408 && status !== 429
    ? 'refused'
    : 'silent';
}
