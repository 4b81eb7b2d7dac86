import type { PersonActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';

/** The accounts that this person may enter, by name: the person's member in each; at most 50. */
export async function listOwnAccounts(
  ctx: Context<PersonActor>,
): Promise<{ memberId: string; accountName: string }[]> {
  return ctx.kysely
    .selectFrom('Member as m')
    .innerJoin('Account as a', 'a.id', 'm.accountId')
    .select(['m.id as memberId', 'a.name as accountName'])
    .where('m.personId', '=', ctx.actor.personId)
    .where('m.status', '=', 'ACTIVE')
    .orderBy('a.name')
    .orderBy('m.id')
    .limit(50)
    .execute();
}
