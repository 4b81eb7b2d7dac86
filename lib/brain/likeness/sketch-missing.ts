import type { Context } from '#lib/core/context.ts';
import { faultFields } from '#lib/core/faults.ts';
import { type TimeLimit, timeLimit } from '#lib/core/resource-limits/time-limit.ts';
import { prepareComparison, sketchParams } from './similar.ts';
import { insertSketch, readLikeness, readUnsketched } from './statements.ts';

/** How long a night gives to it; the next one goes on. */
const MAX_MS = 30_000;
const AT_ONCE = 64;

type Ctx = Pick<Context, 'kysely' | 'clock' | 'log'>;
type Text = { id: string; accountId: string; title: string; body: string };

/**
 * Gives a sketch to live Memories that have none: those written before sketches were, or by other means than the verbs. Nobody waits for it, and it can be cut anywhere.
 * Returns how many were given. What stops one of them (`memory.sketch_failed`) is thrown once the others were tried.
 */
export async function sketchMissing(ctx: Ctx, within?: TimeLimit): Promise<number> {
  const limit = timeLimit(ctx, MAX_MS, within);
  let given = 0;
  const failures: unknown[] = [];
  for (let after = ''; !limit.isOver(); ) {
    const rows = await readUnsketched.all(ctx.kysely, { after, limit: AT_ONCE });
    for (const row of rows) {
      // A database that is down answers each of them late.
      if (failures.length > 0 && limit.isOver()) break;
      try {
        await sketch(ctx, row);
        given += 1;
      } catch (error) {
        // The first by identifier comes first each night: it may not keep those after it without a sketch.
        ctx.log.error('memory.sketch_failed', { memoryId: row.id, ...faultFields(error) });
        failures.push(error);
      }
      after = row.id;
    }
    if (rows.length < AT_ONCE) break;
  }
  if (failures.length > 0) throw failures[0];
  return given;
}

async function sketch(ctx: Ctx, { id: memoryId, accountId, title, body }: Text): Promise<void> {
  const { sketch: own } = await prepareComparison(accountId, { title, body });
  const found = await readLikeness.first(ctx.kysely, { accountId, given: null, memoryId, ...own });
  if (!found) throw new Error('a SELECT without FROM has one row');
  const kept = sketchParams(own, found.likeness);
  await insertSketch.run(ctx.kysely, { memoryId, accountId, title, body, ...kept });
}
