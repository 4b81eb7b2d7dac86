import { type RawBuilder, sql } from 'kysely';
import type { AccountActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { AssetState } from '#lib/db/generated/prisma/client.ts';
import type { Transaction } from '#lib/db/transaction.ts';
import { isAnyOf } from '#lib/db/values.ts';
import { FILE_STATE_LABELS, storage as sentences } from '#lib/messages/storage.ts';
import { canReview, REVIEWS, type Review } from '../file-states.ts';
import { requireGenerate, requireText } from '../refusals.ts';
import { withRetentionPaused } from '../retention-lock.ts';
import { isJudgedMeanwhile, judgedMeanwhile, tellJudged } from './judged-meanwhile.ts';
import { lockLiveAsset } from './live-asset.ts';

export const REVIEW_REASON_MAX = 500;

/** Validates the reason of a decision: required for a rejection, null for any other. Errors: `invalid` names `reason`. */
export function requireReason(review: Review, reason: string | undefined): string | null {
  return review === 'reject' ? requireText('reason', reason ?? '', REVIEW_REASON_MAX) : null;
}

/** The state that a decision replaces, stored beside it for an undo. */
const stateBefore = (): RawBuilder<unknown> =>
  sql`jsonb_build_object('state', "state", 'at', "reviewedAt", 'by', "reviewedBy", 'reason', "reviewReason")`;

/** Writes one decision on files that this transaction has locked, at least one, and an audit entry for each. */
export async function writeReview(
  tx: Transaction,
  ctx: Context<AccountActor>,
  files: readonly { id: string; state: AssetState; generationId: string | null }[],
  { state, reviewReason }: { state: (typeof REVIEWS)[Review]; reviewReason: string | null },
): Promise<void> {
  const { accountId, memberId } = ctx.actor;
  const now = ctx.clock.now();
  const ids = files.map(({ id }) => id);
  await tx
    .updateTable('Asset')
    .set({
      state,
      reviewedAt: now,
      reviewedBy: memberId,
      reviewReason,
      updatedAt: now,
      reviewBefore: stateBefore(),
    })
    .where(isAnyOf('id', ids))
    .execute();
  await recordAudits(
    tx,
    ctx,
    files.map((file) => ({
      action: `asset.${state.toLowerCase() as Lowercase<typeof state>}` as const,
      accountId,
      subject: { type: 'asset' as const, id: file.id },
      data: { from: file.state, generationId: file.generationId },
    })),
  );
}

/**
 * Quality control: approves, rejects (with a reason) or delivers a file. Deciding what is decided already changes nothing. Audited
 * `asset.approved`, `asset.rejected`, `asset.delivered`. `shown`: the state that the page showed; without it, whatever stands is decided over.
 * Errors: `not_found`, `conflict` when the state does not allow it or somebody has decided otherwise since, `invalid` (`reason`).
 */
export async function reviewAsset(
  ctx: Context<AccountActor>,
  input: { assetId: string; review: Review; reason?: string | undefined; shown?: AssetState | undefined },
): Promise<{ id: string; state: AssetState }> {
  requireGenerate(ctx);
  const { accountId } = ctx.actor;
  const state = REVIEWS[input.review];
  return withRetentionPaused(ctx, async (tx) => {
    const asset = await lockLiveAsset(tx, accountId, input.assetId);
    if (asset.state === state) return { id: asset.id, state };
    if (isJudgedMeanwhile(asset, input.shown, state))
      throw judgedMeanwhile(await tellJudged(tx, ctx, [asset]));
    if (!canReview(asset.state, input.review)) throw notFromHere(asset.state, state);
    const reviewReason = requireReason(input.review, input.reason);
    await writeReview(tx, ctx, [asset], { state, reviewReason });
    return { id: asset.id, state };
  });
}

function notFromHere(from: AssetState, to: AssetState): ServiceError {
  const words = { from: FILE_STATE_LABELS[from].toLowerCase(), to: FILE_STATE_LABELS[to].toLowerCase() };
  return new ServiceError('conflict', {
    detail: 'state',
    message: sentences.notFromHere.replace('{from}', words.from).replace('{to}', words.to),
  });
}
