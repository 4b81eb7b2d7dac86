import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { requireGenerate } from '../refusals.ts';
import { BINNED_KINDS, type BinnedKind, type BinnedRef } from './binned-kinds.ts';
import { listBinned } from './list-binned.ts';
import { restoreBinned } from './restore-binned.ts';

/**
 * Restores everything in the bin besides Memories, or the given items: files first, so that an avatar finds its image. Items restored by
 * somebody else in between are skipped; those that cannot be restored, and those beyond the `BIN_PAGE` of their kind, are counted in `left`.
 * Errors: `forbidden`.
 */
export async function restoreAllBinned(
  ctx: Context<AccountActor>,
  input: { only?: readonly BinnedRef[]; kind?: BinnedKind } = {},
): Promise<{ restored: BinnedRef[]; left: number }> {
  requireGenerate(ctx);
  const listed = input.only ? null : await listBinned(ctx);
  const wanted: readonly BinnedRef[] = input.only ?? listed?.items ?? [];
  const restored: BinnedRef[] = [];
  let left = 0;
  const kinds = input.kind ? [input.kind] : BINNED_KINDS;
  for (const kind of kinds) {
    const ofKind = wanted.filter((one) => one.kind === kind);
    if (listed) left += listed.total[kind] - ofKind.length;
    for (const { id } of ofKind) {
      try {
        await restoreBinned(ctx, { kind, id });
        restored.push({ kind, id });
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        if (error.code === 'conflict') left += 1;
        else if (error.code !== 'not_found') throw error;
      }
    }
  }
  return { restored, left };
}
