import type { AccountActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { faultFields } from '#lib/core/faults.ts';
import { KEEP_REASON_LABELS, storage as sentences } from '#lib/messages/storage.ts';
import { type FilesContext, requireStore } from '../context.ts';
import { liveUploads, withUploadFacts } from '../facts/upload-facts.ts';
import { lastingReason } from '../keep-reason.ts';
import { fileGone, requireGenerate } from '../refusals.ts';
import { withRetentionLock } from '../retention-lock.ts';

/**
 * Deletes a file that a member sent, its bytes included. Refused while something keeps it: a capture rush, an avatar, a signed consent, a
 * running generation. Bytes that the store refuses are left to the orphan pass. Audited `reference.deleted`. Errors: `not_found`,
 * `conflict` with the reason as `detail`.
 */
export async function deleteUpload(
  ctx: FilesContext<AccountActor>,
  input: { uploadId: string },
): Promise<{ id: string; pathname: string }> {
  requireGenerate(ctx);
  const store = requireStore(ctx);
  const { accountId } = ctx.actor;
  const { id, pathname } = await withRetentionLock(ctx, async (tx) => {
    const row = await liveUploads(tx)
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
      .set({ deletedAt: ctx.clock.now(), deletedBy: 'member' })
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
    return row;
  });
  await store.delete([pathname]).catch(async (error: unknown) => {
    ctx.log.warn('files.delete_failed', { subject: id, ...faultFields(error) });
    await recordAudits(ctx.kysely, ctx, [
      {
        action: 'generation.files_delete_failed',
        accountId,
        subject: { type: 'upload', id },
        data: { by: 'member', pathname },
      },
    ]);
  });
  return { id, pathname };
}
