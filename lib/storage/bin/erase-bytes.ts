import { recordAudits } from '#lib/core/audit.ts';
import type { FilesContext } from '../context.ts';
import { requireStore } from '../context.ts';
import { createBudget, STORE_CALL_MS } from '../retention/budget.ts';
import { type Deletion, deleteBytes } from '../retention/delete-bytes.ts';
import type { ErasedFile } from './erase-rows.ts';

/** Files of one transaction get this long; what is left then is the orphan pass's. */
const MAX_MS = 10_000;

/**
 * Deletes the bytes of what left the bin, thumbnails too, after its rows said so. What the store refuses, and what a process that dies
 * leaves behind, is named by nothing any more: the orphan pass takes it; a refusal is audited. `whatever`: also bytes that replaced those
 * that were recorded, which are else the orphan pass's to judge. Returns how many files are still there.
 */
export async function eraseBytes(
  ctx: FilesContext,
  files: readonly ErasedFile[],
  {
    elapsedMs = () => performance.now(),
    whatever = false,
  }: { elapsedMs?: () => number; whatever?: boolean } = {},
): Promise<number> {
  if (files.length === 0) return 0;
  const budget = createBudget({ budgetMs: MAX_MS, elapsedMs, storeCallMs: STORE_CALL_MS });
  // Under the ETag of the moment: no other row can name what lies there.
  const versions = whatever ? files.map((file) => ({ ...file, etag: null })) : files;
  const results = await deleteBytes({ store: requireStore(ctx), budget, ctx }, versions);
  const isThere = (result: Deletion | undefined) =>
    result === 'changed' ? whatever : result === 'failed' || result === 'left';
  const refused = files.filter((_, index) => isThere(results[index]));
  await recordAudits(
    ctx.kysely,
    ctx,
    refused.map(({ refusal }) => refusal),
  );
  return refused.length;
}
