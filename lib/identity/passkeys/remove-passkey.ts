import type { MemberActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { requireRecentVerification } from '#lib/core/recent-verification.ts';
import { transaction } from '#lib/db/transaction.ts';

/** Forgets one of the acting person's passkeys: it opens nothing any more. Errors: `verification_required`, `not_found`. */
export async function removePasskey(
  ctx: Context<MemberActor>,
  input: { passkeyId: string },
): Promise<{ name: string }> {
  requireRecentVerification(ctx);
  const { accountId, memberId } = ctx.actor;
  return transaction(ctx, async (tx) => {
    const removed = await tx
      .deleteFrom('Passkey')
      .where('id', '=', input.passkeyId)
      .where('personId', '=', (eb) =>
        eb
          .selectFrom('Member')
          .select('personId')
          .where('id', '=', memberId)
          .where('accountId', '=', accountId),
      )
      .returning('name')
      .executeTakeFirst();
    if (!removed) throw new ServiceError('not_found', { message: 'Cette clé d’accès est introuvable.' });
    await recordAudits(tx, ctx, [
      {
        action: 'passkey.removed',
        accountId,
        subject: { type: 'passkey', id: input.passkeyId },
        data: { name: removed.name },
      },
    ]);
    return removed;
  });
}
