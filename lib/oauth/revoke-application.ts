import type { MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { transaction } from '#lib/db/transaction.ts';
import { revokeGrant } from './revoke-grant.ts';

/**
 * Ends every connection of an application for a member: one's own, or anyone's of the account for a founder. Its next
 * request is refused. Errors: `not_found` when there is none that the actor may end.
 */
export async function revokeApplication(
  ctx: Context<MemberActor>,
  input: { clientId: string; memberId: string },
): Promise<void> {
  const { accountId, memberId, role } = ctx.actor;
  const allowed = role === 'FOUNDER' || input.memberId === memberId;
  await transaction(ctx, async (tx) => {
    const grants = allowed
      ? await tx
          .selectFrom('OAuthGrant')
          .select('id')
          .where('accountId', '=', accountId)
          .where('memberId', '=', input.memberId)
          .where('clientId', '=', input.clientId)
          .where('revokedAt', 'is', null)
          // Locked in a fixed order, the oldest first, as by the verb that sets their Spaces.
          .orderBy('createdAt')
          .orderBy('id')
          .execute()
      : [];
    if (grants.length === 0)
      throw new ServiceError('not_found', { message: 'Cette application n’est plus connectée.' });
    for (const grant of grants) await revokeGrant(tx, ctx, { grantId: grant.id, revokedBy: 'MEMBER' });
  });
}
