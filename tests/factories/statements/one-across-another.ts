import type { Queries } from '#lib/db/types.ts';
import type { TestService } from '#tests/setup/service.ts';
import { interceptedQueries } from './intercepted-queries.ts';
import { untilBlocked } from './until-blocked.ts';

/**
 * Two verbs in one moment, without chance: `first`, on the connections that it is given, is about to send its first statement that is like `at` when
 * `second` begins. It goes on once `second` waits for it, or has ended: what was read before that statement is old where no lock was taken.
 * Returns what came of both: `done`, or the code of the refusal.
 */
export async function oneAcrossAnother(
  { connection, pool }: Pick<TestService, 'connection' | 'pool'>,
  first: (kysely: Queries) => Promise<unknown>,
  at: RegExp,
  second: () => Promise<unknown>,
): Promise<[first: string, second: string]> {
  let other: Promise<string> | undefined;
  const kysely = interceptedQueries(connection.pool, {
    async before({ text }) {
      if (other || !at.test(text)) return;
      other = outcome(second());
      await Promise.race([other, untilBlocked({ pool })]);
    },
  });
  const one = await outcome(first(kysely));
  if (!other) throw new Error(`no statement is like ${at}`);
  return [one, await other];
}

const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: { code: string }) => error.code,
  );
