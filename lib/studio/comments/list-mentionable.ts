import { sql } from 'kysely';
import type { MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { Mentionable } from './mentions.ts';

/** Who can be named in a comment: active members of the account who may read the journal, at most 500, by name. */
export async function listMentionable(ctx: Context<MemberActor>): Promise<Mentionable[]> {
  return ctx.kysely
    .selectFrom('Member')
    .select(['id', 'name'])
    .where('accountId', '=', ctx.actor.accountId)
    .where('status', '=', 'ACTIVE')
    .where((eb) => eb.or([eb('role', '=', 'FOUNDER'), sql<boolean>`'generate' = any("permissions")`]))
    .orderBy('name')
    .orderBy('id')
    .limit(500)
    .execute();
}
