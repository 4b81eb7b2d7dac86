import { sql } from 'kysely';
import type { AccountActor, Permission } from './actor.ts';
import type { Context } from './context.ts';
import { ServiceError } from './errors.ts';

/**
 * The same context with its member's role and rights of this moment, for what goes on long after its caller was judged: a file that is sent page by page. Errors:
 * `forbidden` once the session, key or application has ended, or the member is no active one.
 */
export async function withCurrentRights<C extends Context<AccountActor>>(ctx: C): Promise<C> {
  const { actor } = ctx;
  const member = await ctx.kysely
    .selectFrom('Member as m')
    .innerJoin('Account as a', 'a.id', 'm.accountId')
    .select(['m.role', 'm.permissions'])
    .where('m.id', '=', actor.memberId)
    .where('m.accountId', '=', actor.accountId)
    .where('m.status', '=', 'ACTIVE')
    .where('a.erasingAt', 'is', null)
    .where(sql<boolean>`not ${hasEnded(ctx)}`)
    .executeTakeFirst();
  if (!member) throw new ServiceError('forbidden');
  const permissions = member.permissions as Permission[];
  return { ...ctx, actor: { ...actor, role: member.role, permissions } };
}

function hasEnded({ actor, clock }: Context<AccountActor>) {
  const [table, id] =
    actor.type === 'member'
      ? (['Session', actor.sessionId] as const)
      : actor.type === 'key'
        ? (['DeveloperKey', actor.keyId] as const)
        : (['OAuthGrant', actor.grantId] as const);
  return sql<boolean>`exists (select from ${sql.table(table)}
    where "id" = ${id} and ("revokedAt" is not null or "expiresAt" <= ${clock.now()}))`;
}
