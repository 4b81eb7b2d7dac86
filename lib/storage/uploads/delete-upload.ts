import type { AccountActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { KEEP_REASON_LABELS, storage as sentences } from '#lib/messages/storage.ts';
import { liveUploads, withUploadFacts } from '../facts/upload-facts.ts';
import { lastingReason } from '../keep-reason.ts';
import { fileGone, requireGenerate } from '../refusals.ts';
import { withRetentionLock } from '../retention-lock.ts';

/**
 * Puts a file that a member sent into the bin, its bytes for 30 days. Refused while something keeps it: a capture rush, an avatar, a signed
 * consent, a running generation. Audited `reference.deleted`. Errors: `not_found`,
 * `conflict` with the reason as `detail`.
 */
export async function deleteUpload(
  ctx: Context<AccountActor>,
  input: { uploadId: string },
): Promise<{ id: string; pathname: string }> {
  requireGenerate(ctx);
  const { accountId, memberId } = ctx.actor;
  return withRetentionLock(ctx, async (tx) => {
    const row = await liveUploads(tx, accountId)
      .where('u.id', '=', input.uploadId)
      .where('u.accountId', '=', accountId)
      .where('u.expiringAt', 'is', null)
      .forUpdate('u')
      .executeTakeFirst();
    if (!row) throw fileGone(input.uploadId);
    const reason = lastingReason(withUploadFacts(row));
    if (reason)
      throw new ServiceError('conflict', {
        detail: reason,
        subject: row.id,
        message: sentences.heldByMember.replace('{reason}', KEEP_REASON_LABELS[reason]),
      });
    await tx
      .updateTable('Upload')
      .set({ deletedAt: ctx.clock.now(), deletedBy: 'member', binnedBy: memberId })
      .where('id', '=', row.id)
      .execute();
    await recordAudits(tx, ctx, [
      {
        action: 'reference.deleted',
        accountId,
        subject: { type: 'upload', id: row.id },
        data: { pathname: row.pathname },
      },
    ]);
    return { id: row.id, pathname: row.pathname };
  });
}
