import { type AccountActor, type AdminActor, hasPermission } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { transaction } from '#lib/db/transaction.ts';

/**
 * Clears the count of wrong codes of a member's address, so that a new browser may sign in again. For an invited member only from the shell:
 * an account can invite any address, and could let somebody guess its codes without end. Errors: `forbidden`, `not_found` (another account's
 * member answers the same), `conflict` for a member who has not joined.
 */
export async function unblockSignIn(
  ctx: Context<AccountActor | AdminActor>,
  input: { accountId: string; memberId: string },
): Promise<void> {
  if (!hasPermission(ctx.actor, 'members.manage')) throw new ServiceError('forbidden');
  const { accountId, memberId } = input;
  if ('accountId' in ctx.actor && ctx.actor.accountId !== accountId) throw new ServiceError('not_found');
  await transaction(ctx, async (tx) => {
    const member = await tx
      .selectFrom('Member')
      .select(['email', 'personId'])
      .where('id', '=', memberId)
      .where('accountId', '=', accountId)
      .executeTakeFirst();
    if (!member?.email)
      throw new ServiceError('not_found', { message: 'Ce membre est introuvable dans ce compte.' });
    if (member.personId === null && ctx.actor.type !== 'admin')
      throw new ServiceError('conflict', {
        message: 'Cette personne n’a pas encore rejoint le compte\u00a0: demandez à l’exploitant du service.',
      });
    const { numDeletedRows } = await tx
      .deleteFrom('SignInFailure')
      .where('email', '=', member.email)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) return;
    await recordAudits(tx, ctx, [
      { action: 'member.sign_in_unblocked', accountId, subject: { type: 'member', id: memberId } },
    ]);
  });
}
