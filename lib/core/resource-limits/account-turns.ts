import type { Context } from '../context.ts';
import { readJobCursor, saveJobCursor } from './job-cursor.ts';
import type { TimeLimit } from './time-limit.ts';

type TurnsInput = {
  /** Its row of `CronCursor`. */
  job: string;
  /** The accounts that have something to be done. */
  due: readonly string[];
  /** Accounts of one turn at most. */
  batch: number;
  limit: TimeLimit;
  /** One turn of these accounts, each with the same part of it; returns those that may have more. */
  turn: (accountIds: readonly string[]) => Promise<readonly string[]>;
};

/**
 * Serves accounts in turns, for nightly work, until none has more or the time is over: an account with much work does not hold up another's.
 * Begins after the last account served the night before. `failures`: the error of each turn that failed, for the caller to throw; the other
 * turns went on, and the accounts of a failed one have no other this night.
 */
export async function takeTurns(
  ctx: Pick<Context, 'kysely' | 'clock'>,
  { job, due, batch, limit, turn }: TurnsInput,
): Promise<{ complete: boolean; failures: unknown[] }> {
  const place = await readJobCursor(ctx, job);
  const sorted = [...due].sort();
  let waiting = [...sorted.filter((id) => id > place), ...sorted.filter((id) => id <= place)];
  let reached = '';
  let complete = true;
  const failures: unknown[] = [];
  while (waiting.length > 0 && complete) {
    const again: string[] = [];
    for (let at = 0; at < waiting.length; at += batch) {
      if (limit.isOver()) {
        complete = false;
        break;
      }
      const accountIds = waiting.slice(at, at + batch);
      reached = accountIds.at(-1) ?? '';
      try {
        again.push(...(await turn(accountIds)));
      } catch (error) {
        failures.push(error);
      }
    }
    waiting = again;
  }
  if (reached !== '') await saveJobCursor(ctx, job, reached);
  return { complete, failures };
}

/** How many rows of a batch each of these accounts gets: an even part, at least one. */
export function rowsOfEach(batch: number, accounts: number): number {
  return Math.max(1, Math.floor(batch / accounts));
}

/** The accounts that had all the rows that their turn allows them, in the order given: they may have more. */
export function mayHaveMore(
  accountIds: readonly string[],
  rows: readonly { accountId: string }[],
  each: number,
): string[] {
  const own = Map.groupBy(rows, ({ accountId }) => accountId);
  return accountIds.filter((id) => own.get(id)?.length === each);
}
