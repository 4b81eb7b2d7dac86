import type { MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { Executor } from '#lib/db/types.ts';

type SessionPerson = { personId: string; email: string; name: string };

/** The person of the acting session, with the name they have in the account. Errors: `unauthenticated` when it has ended. */
export async function sessionPerson(on: Executor, ctx: Context<MemberActor>): Promise<SessionPerson> {
  const person = await on
    .selectFrom('Session as s')
    .innerJoin('Person as p', 'p.id', 's.personId')
    .innerJoin('Member as m', 'm.id', 's.memberId')
    .select(['p.id as personId', 'p.email', 'm.name'])
    .where('s.id', '=', ctx.actor.sessionId)
    .where('m.id', '=', ctx.actor.memberId)
    .where('s.revokedAt', 'is', null)
    .where('s.expiresAt', '>', ctx.clock.now())
    .executeTakeFirst();
  if (!person) throw new ServiceError('unauthenticated');
  return person;
}
