import { hasPermission } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';

export type Member = { accountId: string; memberId: string };

const findMember = prepared(
  'ledger.member',
  (db, p: Params<{ memberId: string; accountId: string | null; everywhere: boolean }>) =>
    db
      .selectFrom('Member')
      .select(['id as memberId', 'accountId'])
      .where('id', '=', p.memberId)
      .where((eb) => eb.or([p.everywhere, eb('accountId', '=', p.accountId)])),
);

/** The named member, when within the actor's reach: any member for the shell and the system, else one of the own account. */
export async function memberInReach(ctx: Context, memberId: string): Promise<Member> {
  const accountId = 'accountId' in ctx.actor ? ctx.actor.accountId : null;
  const member = await findMember.first(ctx.kysely, { memberId, accountId, everywhere: accountId === null });
  if (!member || ctx.actor.type === 'anonymous') throw new ServiceError('not_found');
  return member;
}

/** The member whose money the actor may read: oneself, or any of the account for a founder; else `not_found`. */
export async function readableMember(ctx: Context, memberId: string): Promise<Member> {
  const { actor } = ctx;
  // The caller has just been authenticated: their own account is not looked up again.
  if ('memberId' in actor && actor.memberId === memberId) return { accountId: actor.accountId, memberId };
  if (!hasPermission(actor, 'ledger.grant')) throw new ServiceError('not_found');
  return memberInReach(ctx, memberId);
}

/** Throws `forbidden` unless the actor operates the service: may see and decide of every account's money and runs (the operator's founders, the shell). */
export function requireOperator(ctx: Context): void {
  if (!hasPermission(ctx.actor, 'service.operate')) throw new ServiceError('forbidden');
}

/** Throws `forbidden` unless the actor may give credit and set caps (founders, the shell). */
export function requireGrant(ctx: Context): void {
  if (!hasPermission(ctx.actor, 'ledger.grant')) throw new ServiceError('forbidden');
}
