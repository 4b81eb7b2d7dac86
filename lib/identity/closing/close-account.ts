import { recordAudits } from '#lib/core/audit.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { requireRecentVerification } from '#lib/core/recent-verification.ts';
import { line } from '#lib/core/text/one-line.ts';
import { transaction } from '#lib/db/transaction.ts';
import type { Post } from '../notices/mail-notices.ts';
import { findClosingRecipients, mailClosing } from './closing-notices.ts';
import { CLOSING_DAYS, erasedFrom } from './closing-rules.ts';
import { type ErasingContext, requireErasureRights } from './require-erasure-rights.ts';

/** A name as a keyboard writes it: one kind of space and of apostrophe. The page shows it so that nobody could tell. */
const asTyped = (name: string) => line(name).normalize('NFC').replace(/[‘’ʼ]/g, "'");

/**
 * Closes an account: from the next request it can only be read, exported and reopened; after 30 days the nightly job erases it. `name`: its
 * name, as it is typed to confirm. Errors: `forbidden`, `not_found`, `invalid_request` for another name, `conflict` for the operator's account and for
 * a closed one. `post` tells its founders and the operator's.
 */
export async function closeAccount(
  ctx: ErasingContext,
  input: { accountId: string; name: string },
  post?: Post,
): Promise<{ erasedFrom: Date }> {
  await requireErasureRights(ctx, input);
  requireRecentVerification(ctx);
  const now = ctx.clock.now();
  await transaction(ctx, async (tx) => {
    const account = await tx
      .selectFrom('Account')
      .select(['name', 'isOperator', 'closedAt'])
      .where('id', '=', input.accountId)
      .forUpdate()
      .executeTakeFirst();
    if (!account) throw new ServiceError('not_found', { message: 'Ce compte est introuvable.' });
    if (account.isOperator)
      throw new ServiceError('conflict', {
        message:
          'Le compte de l’exploitant ne se ferme pas\u00a0: confiez d’abord l’exploitation à un autre compte.',
      });
    if (account.closedAt) throw new ServiceError('conflict', { message: 'Ce compte est déjà fermé.' });
    if (asTyped(input.name) !== asTyped(account.name)) {
      const message = 'Ce n’est pas le nom du compte. Rien n’a été fermé.';
      throw new ServiceError('invalid_request', { message, problems: [{ field: 'name', message }] });
    }
    await tx
      .updateTable('Account')
      .set({ closedAt: now, updatedAt: now })
      .where('id', '=', input.accountId)
      .execute();
    await recordAudits(tx, ctx, [
      {
        action: 'account.closed',
        accountId: input.accountId,
        subject: { type: 'account', id: input.accountId },
        data: { days: CLOSING_DAYS },
      },
    ]);
  });
  const { accountId } = input;
  mailClosing(post, await findClosingRecipients(ctx.kysely, accountId), {
    kind: 'closed',
    accountId,
    at: now,
  });
  return { erasedFrom: erasedFrom(now) };
}

/**
 * Reopens a closed account, unchanged; `post` tells those who were told of the closing. Errors: `forbidden`, `conflict` when it is open, or
 * its erasure has begun.
 */
export async function reopenAccount(
  ctx: ErasingContext,
  input: { accountId: string },
  post?: Post,
): Promise<void> {
  await requireErasureRights(ctx, input);
  const now = ctx.clock.now();
  await transaction(ctx, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('Account')
      .set({ closedAt: null, updatedAt: now })
      .where('id', '=', input.accountId)
      .where('closedAt', 'is not', null)
      .where('erasingAt', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n)
      throw new ServiceError('conflict', {
        message: 'Ce compte n’est pas fermé, ou son effacement a commencé.',
      });
    await recordAudits(tx, ctx, [
      {
        action: 'account.reopened',
        accountId: input.accountId,
        subject: { type: 'account', id: input.accountId },
      },
    ]);
  });
  const { accountId } = input;
  mailClosing(post, await findClosingRecipients(ctx.kysely, accountId), {
    kind: 'reopened',
    accountId,
    at: now,
  });
}
