import type { Context } from '#lib/core/context.ts';
import { type TimeLimit, timeLimit } from '#lib/core/resource-limits/time-limit.ts';
import { prepareComparison, sketchParams } from './similar.ts';
import { insertSketch, readLikeness, readUnsketched } from './statements.ts';

/** How long a night gives to it; the next one goes on. */
const MAX_MS = 30_000;
const AT_ONCE = 64;

/**
 * Gives a sketch to live Memories that have none: those written before sketches were, or by other means than the verbs. Nobody waits for it, and it can be cut anywhere.
 * Returns how many were given.
 */
export async function sketchMissing(
  ctx: Pick<Context, 'kysely' | 'clock'>,
  within?: TimeLimit,
): Promise<number> {
  const limit = timeLimit(ctx, MAX_MS, within);
  let given = 0;
  for (let after = ''; !limit.isOver(); ) {
    const rows = await readUnsketched.all(ctx.kysely, { after, limit: AT_ONCE });
    for (const { id: memoryId, accountId, title, body } of rows) {
      const { sketch } = await prepareComparison(accountId, { title, body });
      const found = await readLikeness.first(ctx.kysely, { accountId, given: null, memoryId, ...sketch });
      if (!found) throw new Error('a SELECT without FROM has one row');
      const kept = sketchParams(sketch, found.likeness);
      await insertSketch.run(ctx.kysely, { memoryId, accountId, title, body, ...kept });
      given += 1;
      after = memoryId;
    }
    if (rows.length < AT_ONCE) break;
  }
  return given;
}
