import type { SystemActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { type TimeLimit, timeLimit } from '#lib/core/resource-limits/time-limit.ts';

const AT_ONCE = 1_000;
/** How long a night gives to it; the next one goes on. */
const MAX_MS = 20_000;

/** Deletes proposals that nobody answered in time, and refusals that are remembered no longer. Returns how many. */
export async function purgeProposals(ctx: Context<SystemActor>, within?: TimeLimit): Promise<number> {
  const now = ctx.clock.now();
  const limit = timeLimit(ctx, MAX_MS, within);
  let purged = 0;
  for (let rows = AT_ONCE; rows === AT_ONCE && !limit.isOver(); purged += rows) {
    const deleted = await ctx.kysely
      .deleteFrom('MemoryProposal')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('MemoryProposal')
          .select('id')
          .where('expiresAt', '<=', now)
          .orderBy('expiresAt')
          .limit(AT_ONCE),
      )
      .executeTakeFirst();
    rows = Number(deleted.numDeletedRows);
  }
  return purged;
}
