import type { Context } from '#lib/core/context.ts';
import { type TimeLimit, timeLimit } from '#lib/core/resource-limits/time-limit.ts';
import { ENOUGH_FRESH, indexPending } from './maintain.ts';
import { readUntidy } from './write-statements.ts';

/** How long a night gives to it; the next one goes on. */
const MAX_MS = 60_000;

/**
 * Writes anew the segments that hold words of Memories that are gone, and puts in segments what waits: what an account erased is out of its
 * index within a day. Returns how many accounts were seen to. One that fails keeps no other waiting: the first failure is thrown at the end.
 */
export async function tidyIndex(ctx: Pick<Context, 'kysely' | 'clock'>, within?: TimeLimit): Promise<number> {
  const limit = timeLimit(ctx, MAX_MS, within);
  let done = 0;
  const failures: unknown[] = [];
  for (const { accountId } of await readUntidy.all(ctx.kysely, { enough: ENOUGH_FRESH })) {
    if (limit.isOver()) break;
    try {
      await indexPending(ctx, { accountId, compact: true });
      done++;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return done;
}
