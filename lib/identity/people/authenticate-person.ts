import type { PersonActor } from '#lib/core/actor.ts';
import type { Clock } from '#lib/core/clock.ts';
import type { Executor } from '#lib/db/types.ts';

/** The person behind a live session, whether or not an account was chosen in it. Null: unknown, ended or revoked. */
export async function authenticatePerson(
  deps: { kysely: Executor; clock: Clock },
  sessionId: string,
): Promise<{ actor: PersonActor; email: string } | null> {
  const row = await deps.kysely
    .selectFrom('Session as s')
    .innerJoin('Person as p', 'p.id', 's.personId')
    .select(['p.id as personId', 'p.email'])
    .where('s.id', '=', sessionId)
    .where('s.revokedAt', 'is', null)
    .where('s.expiresAt', '>', deps.clock.now())
    .executeTakeFirst();
  return row ? { actor: { type: 'person', personId: row.personId, sessionId }, email: row.email } : null;
}
