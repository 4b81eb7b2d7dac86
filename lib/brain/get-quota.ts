import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { monthOf, nextMonth, READ_LIMIT_SQL } from './read-quota.ts';

const QUOTA = `
SELECT ${READ_LIMIT_SQL} AS "limit", COALESCE(r.used, 0) AS used, a."capacityCu" > 0 AS activated
FROM "Account" a LEFT JOIN "ReadMonth" r ON r."accountId" = a.id AND r.month = $2
WHERE a.id = $1`;

/** The month's read quota of the account, without consuming it (spec/context-api, Quota payload). */
export async function getQuota(ctx: Context<AccountActor>) {
  const now = ctx.clock.now();
  const [row] = await ctx.sql.rows<{ limit: number; used: number; activated: boolean }>('get-quota', QUOTA, [
    ctx.actor.accountId,
    monthOf(now),
  ]);
  const { limit, used, activated } = row ?? { limit: 0, used: 0, activated: false };
  return {
    object: 'quota' as const,
    limit,
    used,
    remaining: Math.max(0, limit - used),
    resetsAt: nextMonth(now).toISOString(),
    activated,
  };
}
