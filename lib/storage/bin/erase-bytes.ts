import { recordAudits } from '#lib/core/audit.ts';
import { faultFields } from '#lib/core/faults.ts';
import type { FilesContext } from '../context.ts';
import { requireStore } from '../context.ts';
import { createBudget, STORE_CALL_MS } from '../retention/budget.ts';
import { type Deletion, deleteBytes } from '../retention/delete-bytes.ts';
import { CopyRefused } from '../stores/owned-store.ts';
import type { ErasedFile } from './erase-rows.ts';

/** Files of one transaction get this long; what is left then is the orphan pass's. */
const MAX_MS = 10_000;

/**
 * Why bytes are still there. `copy`: the store is that of a service of whose database this one is a copy, and they are its; `refused`: the store
 * would not; `changed`: others took their place meanwhile; `silent`: the store failed, or did not answer in time.
 */
export type KeptBytes = 'copy' | 'refused' | 'changed' | 'silent';

/** What was erased in vain: how many files the store still has, and why the first of them. */
export type Unerased = { refused: number; because: KeptBytes | null };

/**
 * Deletes the bytes of what left the bin, thumbnails too, after its rows said so. What the store refuses, and what a process that dies
 * leaves behind, is named by nothing any more: the orphan pass takes it; a refusal is audited. `whatever`: also bytes that replaced those
 * that were recorded, which are else the orphan pass's to judge. Returns how many files are still there, and why.
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
  // Under the ETag of the moment: no other row can name what lies there.
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
