import type { Context } from '#lib/core/context.ts';
import { faultFields } from '#lib/core/faults.ts';
import { readJobCursor, saveJobCursor } from '#lib/core/resource-limits/job-cursor.ts';
import { type TimeLimit, timeLimit } from '#lib/core/resource-limits/time-limit.ts';
import { prepareComparison, sketchParams } from './similar.ts';
import { findUnsketched, insertSketch, readLikeness, readUnsketched, SKETCH_SLICE } from './statements.ts';

/** How long a night gives to it; the next one goes on. */
const MAX_MS = 30_000;
/** Texts read in one statement. */
const AT_ONCE = 64;
/** Its row of `CronCursor`. */
const JOB = 'sketch-memories';

type Ctx = Pick<Context, 'kysely' | 'clock' | 'log'>;
type Text = { id: string; accountId: string; title: string; body: string };
type Turn = { given: number; failures: Map<string, unknown>; limit: TimeLimit };

/**
 * Adds a sketch to live Memories that have none: written before sketches existed, or by other means than the verbs. Nobody waits for it, and
 * it can be cut anywhere: each statement looks at a bounded number, and a night continues after the last one of the night before. Returns how
 * many were added. The error of one Memory (`memory.sketch_failed`) is thrown once the others were tried.
 */
export async function sketchMissing(ctx: Ctx, within?: TimeLimit): Promise<number> {
  const turn: Turn = { given: 0, failures: new Map(), limit: timeLimit(ctx, MAX_MS, within) };
  const place = await readJobCursor(ctx, JOB);
  let after = place;
  // From the place on, then from the first one up to it.
  let isSecond = place === '';
  while (!turn.limit.isOver()) {
    const slice = await findUnsketched.first(ctx.kysely, { after });
    const stoppedAt = await sketchAll(ctx, slice?.missing ?? [], turn);
    if (stoppedAt !== null) {
      after = stoppedAt || after;
      break;
    }
    const isLast = !slice?.last || slice.seen < SKETCH_SLICE;
    after = slice?.last ?? after;
    if (isSecond && (isLast || (place !== '' && after >= place))) break;
    if (!isLast) continue;
    isSecond = true;
    after = '';
  }
  if (after !== place) await saveJobCursor(ctx, JOB, after);
  for (const [, failure] of turn.failures) throw failure;
  return turn.given;
}

/** Null once each was tried; else, where the time was over, the last one that was, or nothing. */
async function sketchAll(ctx: Ctx, ids: readonly string[], turn: Turn): Promise<string | null> {
  let reached = '';
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    if (at > 0 && turn.limit.isOver()) return reached;
    for (const row of await readUnsketched.all(ctx.kysely, { ids: ids.slice(at, at + AT_ONCE) })) {
      // A night that comes round again tries none of them twice.
      if (turn.failures.has(row.id)) continue;
      // A database that is down answers each of them late.
      if (turn.failures.size > 0 && turn.limit.isOver()) return reached;
      try {
        await sketch(ctx, row);
        turn.given += 1;
      } catch (error) {
        // It may not keep those after it without a sketch.
        ctx.log.error('memory.sketch_failed', { memoryId: row.id, ...faultFields(error) });
        turn.failures.set(row.id, error);
      }
      reached = row.id;
    }
  }
  return null;
}

async function sketch(ctx: Ctx, { id: memoryId, accountId, title, body }: Text): Promise<void> {
  const { sketch: own } = await prepareComparison(accountId, { title, body });
  const found = await readLikeness.first(ctx.kysely, { accountId, given: null, memoryId, ...own });
  if (!found) throw new Error('a SELECT without FROM has one row');
  const kept = sketchParams(own, found.likeness);
  await insertSketch.run(ctx.kysely, { memoryId, accountId, title, body, ...kept });
}
