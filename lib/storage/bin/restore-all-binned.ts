import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { type TimeLimit, timeLimit } from '#lib/core/resource-limits/time-limit.ts';
import { requireGenerate } from '../refusals.ts';
import { BINNED_KINDS, type BinnedKind, type BinnedRef } from './binned-kinds.ts';
import { listBinned } from './list-binned.ts';
import { restoreBinned } from './restore-binned.ts';

/** After this no item is begun: who asked still reads what came back. */
const RESTORE_MS = 25_000;

/**
 * Restores everything in the bin besides Memories, or the given items: files first, so that an avatar finds its image. Items restored by
 * somebody else in between are skipped; those that cannot be restored, and those that 25 seconds did not suffice for, are counted in `left`.
 * Errors: `forbidden`.
 */
export async function restoreAllBinned(
  ctx: Context<AccountActor>,
  input: { only?: readonly BinnedRef[]; kind?: BinnedKind } = {},
): Promise<{ restored: BinnedRef[]; left: number }> {
  requireGenerate(ctx);
  const limit = timeLimit(ctx, RESTORE_MS);
  const restored: BinnedRef[] = [];
  let left = 0;
  /** Returns how many stay: one that cannot be restored. */
  const restore = async (one: BinnedRef): Promise<number> => {
    try {
      await restoreBinned(ctx, one);
      restored.push(one);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.code === 'conflict') return 1;
      if (error.code !== 'not_found') throw error;
    }
    return 0;
  };
  for (const kind of input.kind ? [input.kind] : BINNED_KINDS) {
    if (input.only) {
      for (const { id } of input.only.filter((one) => one.kind === kind)) left += await restore({ kind, id });
    } else {
      left += await restoreEvery(ctx, { kind, restore, limit });
    }
  }
  return { restored, left };
}

/** Restores all items of a kind, page after page. Returns how many stay. */
async function restoreEvery(
  ctx: Context<AccountActor>,
  {
    kind,
    restore,
    limit,
  }: { kind: BinnedKind; restore: (one: BinnedRef) => Promise<number>; limit: TimeLimit },
): Promise<number> {
  const tried = new Set<string>();
  let kept = 0;
  for (;;) {
    // What came back has left the list, and what stays is skipped: what was not tried yet is next.
    const { items } = await listBinned(ctx, { skip: kept });
    const wanted = items.filter((one) => one.kind === kind && !tried.has(one.id));
    if (wanted.length === 0) return kept;
    for (const { id } of wanted) {
      if (limit.isOver()) return (await listBinned(ctx)).total[kind];
      tried.add(id);
      kept += await restore({ kind, id });
    }
  }
}
