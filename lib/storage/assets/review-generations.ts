import type { AccountActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { isAnyOf } from '#lib/db/values.ts';
import { canReview, REVIEWS, type Review } from '../file-states.ts';
import { MAX_CHOSEN } from '../limits.ts';
import { requireGenerate } from '../refusals.ts';
import { withRetentionPaused } from '../retention-lock.ts';
import { requireReason, stateBefore } from './review-asset.ts';

const MAX_FILES = 1_000;

type ReviewedGenerations = {
  /** Files that changed state, in the order of their identifiers. */
  assetIds: string[];
  /** Files left as they were: decided so already, or final. */
  unchanged: number;
};

/**
 * Approves or rejects every file of some rows of the journal at once: all that may, in one transaction; the others are counted and
 * stay. Rows of another account hold no file. Each is audited like one that is decided alone. Errors: `invalid` (`reason`).
 */
export async function reviewGenerations(
  ctx: Context<AccountActor>,
  input: {
    generationIds: readonly string[];
    review: Exclude<Review, 'deliver'>;
    reason?: string | undefined;
  },
): Promise<ReviewedGenerations> {
  requireGenerate(ctx);
  const { accountId, memberId } = ctx.actor;
  const state = REVIEWS[input.review];
  const reviewReason = requireReason(input.review, input.reason);
  return withRetentionPaused(ctx, async (tx) => {
    const files = await tx
      .selectFrom('Asset')
      .select(['id', 'state', 'generationId'])
      .where('accountId', '=', accountId)
      .where(isAnyOf('generationId', input.generationIds.slice(0, MAX_CHOSEN)))
      .where('deletedAt', 'is', null)
      .where('expiringAt', 'is', null)
      .orderBy('id')
      .limit(MAX_FILES)
      .forUpdate()
      .execute();
    const allowed = files.filter((file) => canReview(file.state, input.review));
    const assetIds = allowed.map(({ id }) => id);
    if (assetIds.length > 0) {
      const now = ctx.clock.now();
      await tx
        .updateTable('Asset')
        .set({
          ...{ state, reviewedAt: now, reviewedBy: memberId, reviewReason, updatedAt: now },
          reviewBefore: stateBefore(),
        })
        .where(isAnyOf('id', assetIds))
        .execute();
      await recordAudits(
        tx,
        ctx,
        allowed.map((file) => ({
          action: `asset.${state.toLowerCase() as Lowercase<typeof state>}` as const,
          accountId,
          subject: { type: 'asset' as const, id: file.id },
          data: { from: file.state, generationId: file.generationId },
        })),
      );
    }
    return { assetIds, unchanged: files.length - assetIds.length };
  });
}
