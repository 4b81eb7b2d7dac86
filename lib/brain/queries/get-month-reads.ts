import { sql } from 'kysely';
import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { utcMonth } from '#lib/ledger/month.ts';
import { readLimit } from '../quota/consume-read.ts';
import { nextMonth } from '../quota/read-quota.ts';

const readMonth = prepared(
  'month-reads',
  (db, p: Params<{ accountId: string; month: string; from: string; until: string }>) =>
    db
      .selectFrom('Account as a')
      .leftJoin('ReadMonth as r', (join) =>
        join.onRef('r.accountId', '=', 'a.id').on('r.month', '=', p.month),
      )
      .leftJoin('ReadDay as d', (join) =>
        join
          .onRef('d.accountId', '=', 'a.id')
          .on('d.day', '>=', sql<Date>`${p.from}::date`)
          .on('d.day', '<', sql<Date>`${p.until}::date`),
      )
      .select((eb) => [
        readLimit(eb).as('limit'),
        eb('a.contractualReads', 'is not', null).as('contractual'),
        eb.fn.coalesce('r.used', eb.lit(0)).as('used'),
        sql<string | null>`to_char(${eb.ref('d.day')}, 'YYYY-MM-DD')`.as('day'),
        'd.used as dayUsed',
      ])
      .where('a.id', '=', p.accountId),
);

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
  const month = utcMonth(now);
  const resetsAt = nextMonth(now);
  const rows = await readMonth.all(ctx.kysely, {
    accountId: ctx.actor.accountId,
    month,
    from: `${month}-01`,
    until: resetsAt.toISOString().slice(0, 10),
  });
  const used = new Map(rows.map(({ day, dayUsed }) => [day, dayUsed ?? 0]));
  const length = new Date(resetsAt.getTime() - 1).getUTCDate();
  return {
    month,
    limit: rows[0]?.limit ?? 0,
    contractual: Boolean(rows[0]?.contractual),
    used: rows[0]?.used ?? 0,
    resetsAt,
    today: now.getUTCDate() - 1,
    days: Array.from({ length }, (_, at) => {
      const day = `${month}-${String(at + 1).padStart(2, '0')}`;
      return { day, used: used.get(day) ?? 0 };
    }),
  };
}
