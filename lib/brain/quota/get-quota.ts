import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { type AccountRead, type AccountReadSql, runAccountRead } from '#lib/db/account-read.ts';
import { monthOf, nextMonth, READ_LIMIT_SQL } from './read-quota.ts';

type Row = { limit: number; used: number; activated: boolean };

const quotaSql = (account: string, first: number): AccountReadSql => ({
  ctes: `account AS (SELECT a.id, ${READ_LIMIT_SQL} AS "limit", a."capacityCu" FROM "Account" a WHERE a.id = ${account})`,
  columns: 'account."limit", COALESCE(r.used, 0) AS used, account."capacityCu" > 0 AS activated',
  from: `account LEFT JOIN "ReadMonth" r ON r."accountId" = account.id AND r.month = $${first}`,
  present: 'account.id IS NOT NULL',
});

/** The read of an account's month, without consuming it (B-44 to B-49). */
export function quotaRead(now: Date): AccountRead<ReturnType<typeof viewQuota>> {
  return {
    name: 'get-quota',
    sql: quotaSql,
    params: [monthOf(now)],
    finish: ([row]) => viewQuota(row as Row | undefined, now),
  };
}

/** `quotaRead`, for the actor's account. */
export function getQuota(ctx: Context<AccountActor>) {
  return runAccountRead(ctx, quotaRead(ctx.clock.now()));
}

function viewQuota(row: Row | undefined, now: Date) {
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
