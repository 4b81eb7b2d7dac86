import { type RawBuilder, sql } from 'kysely';
import { commonSpaces, type SpaceRights } from '#lib/db/space-rights.ts';
import type { AccountActor, Permission } from './actor.ts';
import type { Context } from './context.ts';
import { ServiceError } from './errors.ts';

/**
 * The same context with the member's current role, rights and Spaces, for work that goes on long after the caller was authorised, such as an
 * export sent page by page. Errors: `forbidden` once the session, key or application has ended, or the member is not active.
 */
export async function withCurrentRights<C extends Context<AccountActor>>(ctx: C): Promise<C> {
  const { actor } = ctx;
  const member = await ctx.kysely
    .selectFrom('Member as m')
    .innerJoin('Account as a', 'a.id', 'm.accountId')
    .select(['m.role', 'm.permissions', currentSpaces(actor).as('spaces')])
    .where('m.id', '=', actor.memberId)
    .where('m.accountId', '=', actor.accountId)
    .where('m.status', '=', 'ACTIVE')
    .where('a.erasingAt', 'is', null)
    .where(sql<boolean>`not ${hasEnded(ctx)}`)
    .executeTakeFirst();
  if (!member) throw new ServiceError('forbidden');
  const permissions = member.permissions as Permission[];
  return { ...ctx, actor: { ...actor, role: member.role, permissions, spaces: member.spaces ?? undefined } };
}

/** The table and identifier of the session, key or grant that the caller authenticated with. */
function credentialOf(actor: AccountActor) {
  return actor.type === 'member'
    ? (['Session', actor.sessionId] as const)
    : actor.type === 'key'
      ? (['DeveloperKey', actor.keyId] as const)
      : (['OAuthGrant', actor.grantId] as const);
}

function hasEnded({ actor, clock }: Context<AccountActor>) {
  const [table, id] = credentialOf(actor);
  return sql<boolean>`exists (select from ${sql.table(table)}
    where "id" = ${id} and ("revokedAt" is not null or "expiresAt" <= ${clock.now()}))`;
}

/** As they are read when the caller is authenticated; of a key or an application that is gone, none. */
function currentSpaces(actor: AccountActor): RawBuilder<SpaceRights | null> {
  if (actor.type === 'member') return commonSpaces('m.role', 'm.spaceRights');
  const [table, id] = credentialOf(actor);
  const common = commonSpaces('m.role', 'm.spaceRights', 'c.spaceRights');
  return sql<SpaceRights | null>`case when exists (select from ${sql.table(table)} where "id" = ${id})
    then (select ${common} from ${sql.table(table)} as "c" where "c"."id" = ${id}) else '{}'::jsonb end`;
}
