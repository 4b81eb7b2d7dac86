import { type RawBuilder, sql } from 'kysely';
import type { AccountActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { AssetState } from '#lib/db/generated/prisma/client.ts';
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
export const stateBefore = (): RawBuilder<unknown> =>
  sql`jsonb_build_object('state', "state", 'at', "reviewedAt", 'by', "reviewedBy", 'reason', "reviewReason")`;

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
  const { accountId, memberId } = ctx.actor;
  const state = REVIEWS[input.review];
  return withRetentionPaused(ctx, async (tx) => {
    const asset = await lockLiveAsset(tx, accountId, input.assetId);
    if (asset.state === state) return { id: asset.id, state };
    if (isJudgedMeanwhile(asset, input.shown, state))
      throw judgedMeanwhile(await tellJudged(tx, ctx, [asset]));
    if (!canReview(asset.state, input.review)) throw notFromHere(asset.state, state);
    const reviewReason = requireReason(input.review, input.reason);
    const now = ctx.clock.now();
    await tx
      .updateTable('Asset')
      .set({
        ...{ state, reviewedAt: now, reviewedBy: memberId, reviewReason, updatedAt: now },
        reviewBefore: stateBefore(),
      })
      .where('id', '=', asset.id)
      .execute();
    await recordAudits(tx, ctx, [
      {
        action: `asset.${state.toLowerCase() as Lowercase<typeof state>}`,
        accountId,
        subject: { type: 'asset', id: asset.id },
        data: { from: asset.state, generationId: asset.generationId },
      },
    ]);
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
