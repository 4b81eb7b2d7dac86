import type { SystemActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { type TimeLimit, timeLimit } from '#lib/core/resource-limits/time-limit.ts';
import { type Transaction, transaction } from '#lib/db/transaction.ts';
import type { Executor } from '#lib/db/types.ts';

/** How long a person without any membership is kept after their last visit: they may be invited again. */
const STRAY_DAYS = 30;
/** People of one night; the next one goes on. */
const AT_ONCE = 500;
/** How long a night gives to it. */
const MAX_MS = 20_000;

/**
 * Erases a person without any membership, with all rows that reference them; a member of some account is left untouched. Returns whether they
 * are gone. The person's row is locked first: a concurrent joining waits, or is seen.
 */
export async function erasePerson(tx: Transaction, personId: string): Promise<boolean> {
  const person = await tx
    .selectFrom('Person')
    .select('email')
    .where('id', '=', personId)
    .forUpdate()
    .executeTakeFirst();
  const membership = await tx
    .selectFrom('Member')
    .select('id')
    .where('personId', '=', personId)
    .executeTakeFirst();
  if (!person || membership) return false;
  await tx.deleteFrom('SignInCode').where('email', '=', person.email).execute();
  await tx.deleteFrom('SignInFailure').where('email', '=', person.email).execute();
  await tx.deleteFrom('OutboxMessage').where('recipient', '=', person.email).execute();
  await tx.deleteFrom('Session').where('personId', '=', personId).execute();
  await tx.deleteFrom('Person').where('id', '=', personId).execute();
  return true;
}

/** People without any membership or invitation who have not come since `before`. */
function strays(on: Executor, { before, now }: { before: Date; now: Date }) {
  return on
    .selectFrom('Person as p')
    .select('p.id')
    .where('p.createdAt', '<', before)
    .where((eb) =>
      eb.not(
        eb.or([
          eb.exists(eb.selectFrom('Member as m').select('m.id').whereRef('m.personId', '=', 'p.id')),
          eb.exists(
            eb
              .selectFrom('Member as m')
              .select('m.id')
              .whereRef('m.email', '=', 'p.email')
              .where('m.invitationEndsAt', '>', now),
          ),
          eb.exists(
            eb
              .selectFrom('Session as s')
              .select('s.id')
              .whereRef('s.personId', '=', 'p.id')
              .where('s.lastSeenAt', '>=', before),
          ),
        ]),
      ),
    );
}

/** Erases one of them, unless they came back or were invited since they were found: their row is locked before that is read. */
async function eraseStray(
  tx: Transaction,
  personId: string,
  since: { before: Date; now: Date },
): Promise<boolean> {
  await tx.selectFrom('Person').select('id').where('id', '=', personId).forUpdate().execute();
  const stray = await strays(tx, since).where('p.id', '=', personId).executeTakeFirst();
  return stray !== undefined && erasePerson(tx, personId);
}

/**
 * Erases the people who left their last account, have not come back for 30 days and are invited nowhere. Returns how many. An error for one of
 * them is thrown once the others were tried.
 */
export async function eraseOrphanPersons(ctx: Context<SystemActor>, within?: TimeLimit): Promise<number> {
  const now = ctx.clock.now();
  const limit = timeLimit(ctx, MAX_MS, within);
  const before = new Date(now.getTime() - STRAY_DAYS * 86_400_000);
  const found = await strays(ctx.kysely, { before, now })
    .orderBy('p.createdAt')
    .orderBy('p.id')
    .limit(AT_ONCE)
    .execute();
  let erased = 0;
  const failures: unknown[] = [];
  for (const { id } of found) {
    if (limit.isOver()) break;
    try {
      if (await transaction(ctx, (tx) => eraseStray(tx, id, { before, now }))) erased += 1;
    } catch (error) {
      // The same people come first each night: one that cannot be erased must not block those after them.
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return erased;
}
