import type { MemberActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { Shown } from '#lib/core/input/shown-as.ts';
import type { Micros } from '#lib/core/money.ts';
import { transaction } from '#lib/db/transaction.ts';
import { setCredentialCap } from '#lib/ledger/allowances.ts';

/**
 * Sets what an application may spend for a member in a UTC month, all its connections together: for oneself, or for anyone of the account
 * as a founder. Audited `oauth.cap_set`. Errors: `not_found` (one that does not ask for generations too), `invalid_request`, `conflict` when it is no longer as
 * `shown`, `verification_required` when it is raised.
 */
export async function setApplicationCap(
  ctx: Context<MemberActor>,
  input: { clientId: string; memberId: string; monthlyCapMicros: Micros; shown?: Shown | undefined },
): Promise<void> {
  const { accountId, memberId, role } = ctx.actor;
  const { monthlyCapMicros, shown } = input;
  await transaction(ctx, async (tx) => {
    const grant =
      role === 'FOUNDER' || input.memberId === memberId
        ? await tx
            .selectFrom('OAuthGrant as g')
            .innerJoin('OAuthClient as c', 'c.id', 'g.clientId')
            .select(['g.id', 'g.allowanceId', 'c.id as clientId', 'c.name'])
            .where('g.accountId', '=', accountId)
            .where('g.memberId', '=', input.memberId)
            .where('g.clientId', '=', input.clientId)
            .where('g.revokedAt', 'is', null)
            .where('g.allowanceId', 'is not', null)
            .orderBy('g.createdAt', 'desc')
            .orderBy('g.id', 'desc')
            .limit(1)
            .executeTakeFirst()
        : undefined;
    if (!grant?.allowanceId)
      throw new ServiceError('not_found', { message: 'Cette application n’est plus connectée.' });
    await setCredentialCap(tx, ctx, { allowanceId: grant.allowanceId, accountId, monthlyCapMicros, shown });
    await recordAudits(tx, ctx, [
      {
        action: 'oauth.cap_set',
        accountId,
        subject: { type: 'oauthGrant', id: grant.id },
        data: {
          name: grant.name,
          clientId: grant.clientId,
          monthlyCapMicros: monthlyCapMicros.toString(),
        },
      },
    ]);
  });
}
