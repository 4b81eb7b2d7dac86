import { sql } from 'kysely';
import { z } from 'zod';
import type { AccountActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { AssetState } from '#lib/db/generated/prisma/enums.ts';
import { isAnyOf } from '#lib/db/values.ts';
import { MAX_REVIEWED } from '../limits.ts';
import { requireGenerate } from '../refusals.ts';
import { withRetentionPaused } from '../retention-lock.ts';

/** How long a decision can be taken back by who took it. */
const UNDO_MS = 600_000;

const before = z.object({
  state: z.enum(AssetState),
  at: z.string().nullable(),
  by: z.string().nullable(),
  reason: z.string().nullable(),
});

/**
 * Takes back the member's own approvals and rejections of the last ten minutes: each file is again as it was, with who had decided and
 * why. What was decided anew since, delivered or deleted stays. Audited `asset.review_undone`.
 */
export async function undoReviews(
  ctx: Context<AccountActor>,
  input: { assetIds: readonly string[] },
): Promise<{ assetIds: string[] }> {
  requireGenerate(ctx);
  const { accountId, memberId } = ctx.actor;
  return withRetentionPaused(ctx, async (tx) => {
    const now = ctx.clock.now();
    const files = await tx
      .selectFrom('Asset')
      .select(['id', 'state', 'generationId', 'reviewBefore'])
      .where('accountId', '=', accountId)
      .where(isAnyOf('id', input.assetIds.slice(0, MAX_REVIEWED)))
      .where('reviewedBy', '=', memberId)
      .where('reviewedAt', '>', new Date(now.getTime() - UNDO_MS))
      .where('state', 'in', ['APPROVED', 'REJECTED'])
      .where('reviewBefore', 'is not', null)
      .where('deletedAt', 'is', null)
      .where('expiringAt', 'is', null)
      .orderBy('id')
      .forUpdate()
      .execute();
    const assetIds = files.map(({ id }) => id);
    if (assetIds.length === 0) return { assetIds };
    const kept = sql.ref('reviewBefore');
    await tx
      .updateTable('Asset')
      .set({
        state: sql`(${kept} ->> 'state')::"AssetState"`,
        reviewedAt: sql`(${kept} ->> 'at')::timestamptz`,
        reviewedBy: sql`${kept} ->> 'by'`,
        reviewReason: sql`${kept} ->> 'reason'`,
        reviewBefore: null,
        updatedAt: now,
      })
      .where(isAnyOf('id', assetIds))
      .execute();
    await recordAudits(
      tx,
      ctx,
      files.map((file) => ({
        action: 'asset.review_undone' as const,
        accountId,
        subject: { type: 'asset' as const, id: file.id },
        data: {
          from: file.state,
          to: before.parse(file.reviewBefore).state,
          generationId: file.generationId,
        },
      })),
    );
    return { assetIds };
  });
}
