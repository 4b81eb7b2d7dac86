import { sql } from 'kysely';
import type { MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { asCounted } from '#lib/db/values.ts';
import type { Mentionable } from './mentions.ts';

/** Who can be named in a comment, by name: every active member of the account who may read the journal. A menu lists the first of them. */
export async function listMentionable(ctx: Context<MemberActor>): Promise<Mentionable[]> {
  return ctx.kysely
    .selectFrom('Member')
    .select(['id', 'name'])
    .where('accountId', '=', ctx.actor.accountId)
    .where('status', '=', 'ACTIVE')
    .where((eb) => eb.or([eb('role', '=', 'FOUNDER'), sql<boolean>`'generate' = any("permissions")`]))
    .orderBy((eb) => asCounted(eb.ref('name')))
    .orderBy('id')
    .execute();
}
