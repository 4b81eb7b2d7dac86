import { recordAudits } from '#lib/core/audit.ts';
import type { FilesContext } from '../context.ts';
import { requireStore } from '../context.ts';
import { createBudget, STORE_CALL_MS } from '../retention/budget.ts';
import { deleteBytes } from '../retention/delete-bytes.ts';
import type { ErasedFile } from './erase-rows.ts';

/** Files of one transaction get this long; what is left then is the orphan pass's. */
const MAX_MS = 10_000;

/**
 * Deletes the bytes of what left the bin, thumbnails too, after its rows said so. What the store refuses, and what a process that dies
 * leaves behind, is named by nothing any more: the orphan pass takes it; a refusal is audited. Returns how many files were refused.
 */
export async function eraseBytes(
  ctx: FilesContext,
  files: readonly ErasedFile[],
  { elapsedMs = () => performance.now() }: { elapsedMs?: () => number } = {},
): Promise<number> {
  if (files.length === 0) return 0;
  const budget = createBudget({ budgetMs: MAX_MS, elapsedMs, storeCallMs: STORE_CALL_MS });
  const results = await deleteBytes({ store: requireStore(ctx), budget, ctx }, files);
  const refused = files.filter((_, index) => results[index] === 'failed' || results[index] === 'left');
  await recordAudits(
    ctx.kysely,
    ctx,
    refused.map(({ refusal }) => refusal),
  );
  return refused.length;
}
