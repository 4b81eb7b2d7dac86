import type { Context } from '#lib/core/context.ts';
import { indexPending } from './maintain.ts';
import { readUntidy } from './write-statements.ts';

/** How long a night gives to it; the next one goes on. */
const MOST_MS = 60_000;

/**
 * Writes anew the segments that hold words of Memories that are gone, and puts in segments what waits: what an account erased is out of its
 * index within a day. Returns how many accounts were seen to.
 */
export async function tidyIndex(ctx: Pick<Context, 'kysely' | 'clock'>): Promise<number> {
  const deadline = ctx.clock.now().getTime() + MOST_MS;
  let done = 0;
  for (const { accountId } of await readUntidy.all(ctx.kysely, {})) {
    if (ctx.clock.now().getTime() > deadline) break;
    await indexPending(ctx, { accountId, compact: true });
    done++;
  }
  return done;
}
