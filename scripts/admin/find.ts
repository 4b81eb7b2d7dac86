import type { ExpressionBuilder } from 'kysely';
import type { AccountActor, Permission } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { DB } from '#lib/db/types.ts';
import { type AdminContext, AdminError } from './run.ts';

async function oneOf<T extends { id: string; name: string }>(
  what: string,
  given: string | undefined,
  rows: Promise<T[]>,
): Promise<T> {
  const found = await rows;
  // Members name themselves and their keys: a name that spells an identifier hides nothing of that identifier.
  const identified = found.find(({ id }) => id === given);
  if (identified) return identified;
  if (found.length === 1) return found[0] as T;
  if (found.length === 0)
    throw new AdminError(
      given === undefined ? `Aucun ${what} : créez-en un d’abord.` : `Aucun ${what} « ${given} ».`,
    );
  const list = found.slice(0, 10).map(({ id, name }) => `  ${id}  ${name}`);
  throw new AdminError(`Plusieurs correspondent (${what}) ; donnez l’identifiant :\n${list.join('\n')}`);
}

/** The row of this identifier, and those whose column says the same, whatever the case. */
function isNamed<T extends keyof DB>(given: string, columns: readonly string[] = ['name']) {
  return (eb: ExpressionBuilder<DB, T>) => {
    const typed = eb as unknown as ExpressionBuilder<DB, 'Member'>;
    const lower = typed.fn<string>('lower', [typed.val(given)]);
    return typed.or([
      typed('id', '=', given),
      ...columns.map((column) => typed(typed.fn<string>('lower', [column as 'name']), '=', lower)),
    ]);
  };
}

/** The account named or identified; the only one there is when nothing is given. One that was erased is none, though its row stays. */
export function findAccount(ctx: AdminContext, given: string | undefined) {
  let rows = ctx.kysely
    .selectFrom('Account')
    .select(['id', 'name'])
    .where('erasedAt', 'is', null)
    .orderBy('createdAt')
    .limit(11);
  if (given !== undefined) rows = rows.where(isNamed<'Account'>(given));
  return oneOf('compte', given, rows.execute());
}

/** A member of the account by e-mail, name or identifier; its first founder when nothing is given. */
export async function findMember(ctx: AdminContext, accountId: string, given: string | undefined) {
  const members = ctx.kysely
    .selectFrom('Member')
    .select(['id', 'name', 'role', 'status', 'permissions'])
    .where('accountId', '=', accountId);
  if (given === undefined) {
    const founder = await members
      .where('role', '=', 'FOUNDER')
      .where('status', '=', 'ACTIVE')
      .orderBy('createdAt')
      .limit(1)
      .executeTakeFirst();
    if (!founder) throw new AdminError('Ce compte n’a pas de fondateur actif.');
    return founder;
  }
  const found = members
    .where('status', '!=', 'REMOVED')
    // An address is never a name: who takes another's for theirs is not found by it.
    .where(isNamed<'Member'>(given, [given.includes('@') ? 'email' : 'name']))
    .orderBy((eb) => eb('id', '=', given), 'desc')
    .orderBy('createdAt')
    .limit(11);
  return oneOf('membre', given, found.execute());
}

/** A Space of the account that is not archived, by name or identifier; the only one when nothing is given. */
export function findSpace(ctx: AdminContext, accountId: string, given: string | undefined) {
  let rows = ctx.kysely
    .selectFrom('Space')
    .select(['id', 'name'])
    .where('accountId', '=', accountId)
    .where('archivedAt', 'is', null)
    .orderBy('createdAt')
    .limit(11);
  if (given !== undefined) rows = rows.where(isNamed<'Space'>(given));
  return oneOf('espace', given, rows.execute());
}

/** A key of the account by name or identifier; among keys of one name, the only one that still works. */
export async function findKey(ctx: AdminContext, accountId: string, given: string) {
  const found = await ctx.kysely
    .selectFrom('DeveloperKey')
    .select(['id', 'name', 'revokedAt'])
    .where('accountId', '=', accountId)
    .where(isNamed<'DeveloperKey'>(given))
    .orderBy((eb) => eb('id', '=', given), 'desc')
    .orderBy('createdAt', 'desc')
    .limit(500)
    .execute();
  if (found.length === 0) throw new AdminError(`Aucune clé « ${given} ».`);
  const live = found.filter(({ id, revokedAt }) => id === given || revokedAt === null);
  return oneOf('clé', given, Promise.resolve(live.length > 0 ? live : found));
}

/**
 * The context of a member of the account, for verbs that act as one: with the role, the rights and the Spaces that they have at this moment. One who
 * is invited or suspended acts in nothing.
 */
export async function asMember(
  ctx: AdminContext,
  accountId: string,
  given: string | undefined,
): Promise<Context<AccountActor>> {
  const { withCurrentRights } = await import('#lib/core/current-rights.ts');
  const member = await findMember(ctx, accountId, given);
  if (member.status !== 'ACTIVE')
    throw new AdminError(`${member.name} n’est pas un membre actif de ce compte\u00a0: rien n’a été fait.`);
  const actor: AccountActor = {
    type: 'member',
    sessionId: 'admin',
    accountId,
    memberId: member.id,
    role: member.role,
    permissions: member.permissions as Permission[],
    operator: false,
    verifiedAt: ctx.clock.now(),
  };
  return withCurrentRights({ ...ctx, actor });
}

/** The same, of one who reaches this Space; said before anything is read or written when they do not. */
export async function asMemberIn(
  ctx: AdminContext,
  accountId: string,
  given: string | undefined,
  space: { id: string; name: string },
): Promise<Context<AccountActor>> {
  const { reaches } = await import('#lib/db/space-rights.ts');
  const asked = await asMember(ctx, accountId, given);
  if (!reaches(asked.actor, space.id))
    throw new AdminError(
      `Ce membre n’a pas accès à l’espace «\u00a0${space.name}\u00a0»\u00a0: rien n’a été fait.`,
    );
  return asked;
}
