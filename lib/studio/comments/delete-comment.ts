import type { MemberActor } from '#lib/core/actor.ts';
import { hasPermission } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { transaction } from '#lib/db/transaction.ts';

/**
 * Deletes one's own comment, and for who manages members any of the account. Audited `generation.comment_deleted`, with the key under which it
 * was sent: `addComment` then refuses its repetition. Errors: `forbidden`, `not_found`.
 */
export async function deleteComment(ctx: Context<MemberActor>, input: { commentId: string }): Promise<void> {
  const { accountId, memberId } = ctx.actor;
  const mayAll = hasPermission(ctx.actor, 'members.manage');
  if (!mayAll && !hasPermission(ctx.actor, 'generate')) throw new ServiceError('forbidden');
  await transaction(ctx, async (tx) => {
    const deleted = await tx
      .deleteFrom('GenerationComment')
      .where('id', '=', input.commentId)
      .where('accountId', '=', accountId)
      .$if(!mayAll, (query) => query.where('memberId', '=', memberId))
      .returning(['generationId', 'memberId', 'key'])
      .executeTakeFirst();
    if (!deleted) throw new ServiceError('not_found');
    await recordAudits(tx, ctx, [
      {
        action: 'generation.comment_deleted',
        accountId,
        subject: { type: 'generation', id: deleted.generationId },
        data: { commentId: input.commentId, authorId: deleted.memberId, sentKey: deleted.key },
      },
    ]);
  });
}
