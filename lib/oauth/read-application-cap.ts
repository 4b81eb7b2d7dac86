import type { MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { Micros } from '#lib/core/money.ts';
import type { Executor } from '#lib/db/types.ts';

/**
 * The monthly cap (UTC) that a connected application has for the member who acts; null when none of its live connections spends, and a new one
 * may set any cap. `lock`: locks the row until the transaction ends.
 */
export async function readApplicationCap(
  on: Executor,
  { actor, clock }: Pick<Context<MemberActor>, 'actor' | 'clock'>,
  { clientId, lock = false }: { clientId: string; lock?: boolean },
): Promise<Micros | null> {
  const allowance = await on
    .selectFrom('CredentialAllowance as allowance')
    .select('allowance.monthlyCapMicros')
    .where('allowance.accountId', '=', actor.accountId)
    .where('allowance.memberId', '=', actor.memberId)
    .where('allowance.clientId', '=', clientId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('OAuthGrant as g')
          .select('g.id')
          .whereRef('g.allowanceId', '=', 'allowance.id')
          .where('g.revokedAt', 'is', null)
          .where('g.activatedAt', 'is not', null)
          .where('g.expiresAt', '>', clock.now()),
      ),
    )
    .$if(lock, (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
  return allowance?.monthlyCapMicros ?? null;
}
