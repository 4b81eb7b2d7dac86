import { sql } from 'kysely';
import { READS_PER_CU } from '#lib/brain/quota/read-quota.ts';
import type { Context } from '#lib/core/context.ts';
import { utcMonth } from '#lib/ledger/month.ts';

/**
 * Creates the events of thresholds reached by accounts with a subscriber: 80 % and 100 % of the month's reads, of the capacity and of the
 * account's ceiling, and the multiples of the spend alert; each once in a month, however many passes run. The pass computes the levels, so
 * that reads stay cheap. A threshold with no active subscriber is not marked as told. Returns how many were marked.
 */
export async function notifyThresholds(ctx: Pick<Context, 'kysely' | 'clock'>): Promise<number> {
  const now = ctx.clock.now();
  const month = utcMonth(now);
  const { rows } = await sql`
    with watched as (
      select distinct e."accountId", type from "WebhookEndpoint" e
      join "Member" m on m."id" = e."createdById" and m."status" = 'ACTIVE', unnest(e."events") as type
      where e."disabledAt" is null and type in ('quota.reached', 'credit.reached')
        and may_be_told(type, m."role"::text, m."permissions")
    ), percents(percent) as (values (80), (100)), reached as (
      select w."accountId", w.type, 'reads' as level, p.percent as threshold from watched w
        join "Account" a on a."id" = w."accountId" join "ReadMonth" r on r."accountId" = a."id" and r."month" = ${month}, percents p
        where w.type = 'quota.reached' and coalesce(a."contractualReads", a."capacityCu" * ${READS_PER_CU}) > 0
          and r."used"::bigint * 100 >= coalesce(a."contractualReads", a."capacityCu" * ${READS_PER_CU})::bigint * p.percent
      union all select w."accountId", w.type, 'capacity', p.percent from watched w join "Account" a on a."id" = w."accountId", percents p
        where w.type = 'quota.reached' and a."capacityCu" > 0 and a."usedCu"::bigint * 100 >= a."capacityCu"::bigint * p.percent
      union all select w."accountId", w.type, 'ceiling', p.percent from watched w join "Budget" b on b."accountId" = w."accountId", percents p
        where w.type = 'credit.reached' and b."monthlyCeilingMicros" > 0
          and (b."heldMicros" + case when b."month" = ${month} then b."monthSpentMicros" else 0 end) * 100 >= b."monthlyCeilingMicros" * p.percent
      union all select w."accountId", w.type, 'spend', s."multiple" from watched w join "SpendAlert" s on s."accountId" = w."accountId"
        where w.type = 'credit.reached' and s."month" = ${month}
    ), noted as (
      insert into "WebhookThreshold" ("accountId", "level", "month", "threshold", "at")
      select "accountId", level, ${month}, threshold, ${now}::timestamptz from reached
      on conflict do nothing returning "accountId", "level", "month", "threshold"
    )
    select tell_webhooks(n."accountId", case when n."level" in ('reads', 'capacity') then 'quota.reached' else 'credit.reached' end,
      n."accountId", jsonb_build_object('level', n."level", 'month', n."month",
        case n."level" when 'spend' then 'multiple' else 'percent' end, n."threshold"), ${now}::timestamptz)
    from (select * from noted order by "level", "threshold") n`.execute(ctx.kysely);
  return rows.length;
}
