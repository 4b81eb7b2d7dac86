import type { PersonActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { asCounted } from '#lib/db/values.ts';
import { ACCOUNTS_LISTED } from './accounts-listed.ts';

/** The accounts that this person may enter, by name: the person's member in each; `ACCOUNTS_LISTED` of them, from a page on, and one more where there is one. */
export async function listOwnAccounts(
  ctx: Context<PersonActor>,
  { page = 1 }: { page?: number } = {},
): Promise<{ memberId: string; accountName: string }[]> {
  return ctx.kysely
    .selectFrom('Member as m')
    .innerJoin('Account as a', 'a.id', 'm.accountId')
    .select(['m.id as memberId', 'a.name as accountName'])
    .where('m.personId', '=', ctx.actor.personId)
    .where('m.status', '=', 'ACTIVE')
    .orderBy((eb) => asCounted(eb.ref('a.name')))
    .orderBy('m.id')
    .limit(ACCOUNTS_LISTED + 1)
    .offset((page - 1) * ACCOUNTS_LISTED)
    .execute();
}
