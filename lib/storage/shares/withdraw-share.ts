import type { MemberActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { transaction } from '#lib/db/transaction.ts';
import { isShareInReach } from './list-shares.ts';
import { shareNotFound } from './share-rules.ts';

/** Ends a link at once: one's own, or anyone's of the account for a founder. Twice is harmless. Errors: `not_found`. */
export async function withdrawShare(ctx: Context<MemberActor>, input: { shareId: string }): Promise<void> {
  const { accountId } = ctx.actor;
  await transaction(ctx, async (tx) => {
    const share = await tx
      .selectFrom('ShareLink as l')
      .select(['l.id', 'l.withdrawnAt', 'l.assetId', 'l.spaceId', 'l.views'])
      .where('l.id', '=', input.shareId)
      .where('l.accountId', '=', accountId)
      .where(isShareInReach(ctx.actor))
      .forUpdate()
      .executeTakeFirst();
    if (!share) throw shareNotFound();
    if (share.withdrawnAt !== null) return;
    await tx
      .updateTable('ShareLink')
      .set({ withdrawnAt: ctx.clock.now() })
      .where('id', '=', share.id)
      .execute();
    await recordAudits(tx, ctx, [
      {
        action: 'share.withdrawn',
        accountId,
        subject: { type: 'shareLink', id: share.id },
        data: {
          ...(share.assetId === null
            ? { kind: 'space' as const, spaceId: share.spaceId ?? '' }
            : { kind: 'file' as const, assetId: share.assetId }),
          views: share.views,
        },
      },
    ]);
  });
}
