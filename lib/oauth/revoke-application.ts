import type { MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { revokeGrant } from './revoke-grant.ts';

const LIVING = `
SELECT id FROM "OAuthGrant" WHERE "accountId" = $1 AND "memberId" = $2 AND "clientId" = $3 AND "revokedAt" IS NULL`;

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
  await ctx.sql.transaction(async (tx) => {
    const grants = allowed
      ? await tx.rows<{ id: string }>('oauth-living-grants', LIVING, [
          accountId,
          input.memberId,
          input.clientId,
        ])
      : [];
    if (grants.length === 0)
      throw new ServiceError('not_found', { message: 'Cette application n’est plus connectée.' });
    for (const grant of grants) await revokeGrant(tx, ctx, { grantId: grant.id, revokedBy: 'MEMBER' });
  });
}
