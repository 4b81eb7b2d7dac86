import { type AccountActor, hasPermission } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { requireRecentVerification } from '#lib/core/recent-verification.ts';
import { transaction } from '#lib/db/transaction.ts';
import { type FilesContext, requireStore } from '../context.ts';
import { fileGone } from '../refusals.ts';
import type { BinnedKind, BinnedRef } from './binned-kinds.ts';
import { eraseBytes, type Unerased } from './erase-bytes.ts';
import { type BinTable, eraseAssets, eraseAvatars, eraseConcepts, eraseUploads } from './erase-rows.ts';

const KINDS: Record<BinnedKind, [table: BinTable, column: 'id' | 'generationId', erase: typeof eraseAssets]> =
  {
    files: ['Asset', 'generationId', eraseAssets],
    upload: ['Upload', 'id', eraseUploads],
    avatar: ['Avatar', 'id', eraseAvatars],
    concept: ['Concept', 'id', eraseConcepts],
  };

/**
 * Erases one thing of the bin at once and for good, bytes and thumbnails included, also bytes that replaced those that were recorded;
 * `refused`: how many files the store still has, and `because` of what. Founders (`storage.purge`), else `forbidden`. Audited
 * `….erased`. Errors: `verification_required`, `not_configured`, `not_found` (live, erased, or a stranger's).
 */
export async function eraseBinned(
  ctx: FilesContext<AccountActor>,
  { kind, id }: BinnedRef,
): Promise<Unerased & { files: number }> {
  if (!hasPermission(ctx.actor, 'storage.purge')) throw new ServiceError('forbidden');
  requireRecentVerification(ctx);
  requireStore(ctx);
  const { accountId } = ctx.actor;
  const [table, column, erase] = KINDS[kind];
  const { files } = await transaction(ctx, async (tx) => {
    const { ref } = tx.dynamic;
    const rows = await tx
      .selectFrom(table)
      .select(ref<'id'>('id'))
      .where(ref(column), '=', id)
      .where(ref('accountId'), '=', accountId)
      .where(ref('binnedBy'), 'is not', null)
      .orderBy(ref('id'))
      .forUpdate()
      .execute();
    const ids = rows.map((row) => (row as { id: string }).id);
    if (ids.length === 0) throw fileGone(id);
    const erased = await erase({ tx, ids, reason: 'asked', now: ctx.clock.now() });
    await recordAudits(tx, ctx, erased.events);
    return erased;
  });
  return { files: files.length, ...(await eraseBytes(ctx, files, { whatever: true })) };
}
