import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { monthOf, nextMonth, READ_LIMIT_SQL } from '../quota/read-quota.ts';

const MONTH_READS = `
SELECT ${READ_LIMIT_SQL} AS "limit", a."contractualReads" IS NOT NULL AS contractual, COALESCE(r.used, 0) AS used,
  to_char(d.day, 'YYYY-MM-DD') AS day, d.used AS "dayUsed"
FROM "Account" a LEFT JOIN "ReadMonth" r ON r."accountId" = a.id AND r.month = $2
LEFT JOIN "ReadDay" d ON d."accountId" = a.id AND d.day >= $3::date AND d.day < $4::date
WHERE a.id = $1`;

type Row = { limit: number; contractual: boolean; used: number; day: string | null; dayUsed: number | null };

/** The current UTC month of reads, day by day, and the quota; consumes nothing. `today` is the day's index, from 0. */
export async function getMonthReads(ctx: Context<AccountActor>): Promise<{
  month: string;
  limit: number;
  contractual: boolean;
  used: number;
  resetsAt: Date;
  today: number;
  days: { day: string; used: number }[];
}> {
  const now = ctx.clock.now();
  const month = monthOf(now);
  const resetsAt = nextMonth(now);
  const rows = await ctx.sql.rows<Row>('month-reads', MONTH_READS, [
    ctx.actor.accountId,
    month,
    `${month}-01`,
    resetsAt.toISOString().slice(0, 10),
  ]);
  const used = new Map(rows.map(({ day, dayUsed }) => [day, dayUsed ?? 0]));
  const length = new Date(resetsAt.getTime() - 1).getUTCDate();
  return {
    month,
    limit: rows[0]?.limit ?? 0,
    contractual: rows[0]?.contractual ?? false,
    used: rows[0]?.used ?? 0,
    resetsAt,
    today: now.getUTCDate() - 1,
    days: Array.from({ length }, (_, at) => {
      const day = `${month}-${String(at + 1).padStart(2, '0')}`;
      return { day, used: used.get(day) ?? 0 };
    }),
  };
}
