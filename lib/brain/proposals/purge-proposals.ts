import { sql } from 'kysely';
import type { SystemActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { type TimeLimit, timeLimit } from '#lib/core/resource-limits/time-limit.ts';

const AT_ONCE = 1_000;
/** How long a night gives to it; the next one goes on. */
const MAX_MS = 20_000;

/** Deletes expired proposals, and refusals past their time. Locked rows are left to another night. Returns how many. */
export async function purgeProposals(ctx: Context<SystemActor>, within?: TimeLimit): Promise<number> {
  const now = ctx.clock.now();
  const limit = timeLimit(ctx, MAX_MS, within);
  let purged = 0;
  for (let rows = AT_ONCE; rows === AT_ONCE && !limit.isOver(); purged += rows) {
    const expired = ctx.kysely
      .selectFrom('MemoryProposal')
      .select('id')
      .where('expiresAt', '<=', now)
      .orderBy('expiresAt')
      .limit(AT_ONCE)
      .forUpdate()
      .skipLocked();
    const deleted = await ctx.kysely
      .deleteFrom('MemoryProposal')
      .where(sql<boolean>`id = any(array(${expired}))`)
      .executeTakeFirst();
    rows = Number(deleted.numDeletedRows);
  }
  return purged;
}
