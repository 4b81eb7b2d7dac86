import type { Context } from '#lib/core/context.ts';
import { faultFields } from '#lib/core/faults.ts';
import { type Micros, usdFromMicros } from '#lib/core/money.ts';

/** What the founders of an account are told when a month's spending crosses a multiple of the threshold. */
export type SpendAlert = {
  accountId: string;
  /** UTC month, `2026-11`. */
  month: string;
  multiple: number;
  thresholdMicros: Micros;
  spentMicros: Micros;
};

const BATCH = 20;
/** A mail that a dead process may or may not have sent is tried again after this long. */
const LEASE_MS = 10 * 60_000;

/**
 * Tells every alert that is written and not yet told: a `ledger.spend_alert` log line and one mail, each once per
 * multiple of the threshold and month. Safe to call from several processes: an alert is claimed before it is mailed.
 * Returns how many were told; a mail that fails is kept for the next call.
 */
export async function sendSpendAlerts(
  ctx: Context,
  input: { mail: (alert: SpendAlert) => Promise<void> },
): Promise<number> {
  const now = ctx.clock.now();
  const alerts = await ctx.sql.rows<SpendAlert>(
    'ledger.alerts.claim',
    `UPDATE "SpendAlert" a SET "claimedUntil" = $2 FROM (
       SELECT "accountId", "month", "multiple" FROM "SpendAlert"
       WHERE "mailedAt" IS NULL AND ("claimedUntil" IS NULL OR "claimedUntil" <= $1)
       ORDER BY "createdAt" LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) due
     WHERE a."accountId" = due."accountId" AND a."month" = due."month" AND a."multiple" = due."multiple"
     RETURNING a."accountId", a."month", a."multiple", a."thresholdMicros", a."spentMicros"`,
    [now, new Date(now.getTime() + LEASE_MS)],
  );
  let told = 0;
  for (const alert of alerts) {
    ctx.log.warn('ledger.spend_alert', {
      accountId: alert.accountId,
      month: alert.month,
      multiple: alert.multiple,
      thresholdUsd: usdFromMicros(alert.thresholdMicros),
      spentUsd: usdFromMicros(alert.spentMicros),
    });
    try {
      await input.mail(alert);
    } catch (error) {
      ctx.log.error('ledger.spend_alert.mail_failed', {
        accountId: alert.accountId,
        ...faultFields(error),
      });
      continue;
    }
    await ctx.sql.rows(
      'ledger.alerts.told',
      'UPDATE "SpendAlert" SET "mailedAt" = $4 WHERE "accountId" = $1 AND "month" = $2 AND "multiple" = $3',
      [alert.accountId, alert.month, alert.multiple, ctx.clock.now()],
    );
    told += 1;
  }
  return told;
}
