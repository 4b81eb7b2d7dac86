import type { Context } from '#lib/core/context.ts';
import { faultFields } from '#lib/core/faults.ts';
import { type Micros, usdFromMicros } from '#lib/core/money.ts';
import { waitAtMost } from '#lib/core/resource-limits/wait-at-most.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';

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
/** How long a claim lasts: after a crash, the mail is tried again. */
const LEASE_MS = 10 * 60_000;

const KEY = ['accountId', 'month', 'multiple'] as const;

const claimAlerts = prepared('ledger.alerts.claim', (db, p: Params<{ now: Date; until: Date }>) =>
  db
    .updateTable('SpendAlert as alert')
    .set({ claimedUntil: p.until })
    .from((eb) =>
      eb
        .selectFrom('SpendAlert')
        .select(KEY)
        .where('mailedAt', 'is', null)
        .where((where) => where.or([where('claimedUntil', 'is', null), where('claimedUntil', '<=', p.now)]))
        // Alerts not tried yet come first: twenty whose mails always fail must not block the others.
        .orderBy('claimedUntil', (order) => order.asc().nullsFirst())
        .orderBy('createdAt')
        .limit(BATCH)
        .forUpdate()
        .skipLocked()
        .as('due'),
    )
    .whereRef('alert.accountId', '=', 'due.accountId')
    .whereRef('alert.month', '=', 'due.month')
    .whereRef('alert.multiple', '=', 'due.multiple')
    .returning([
      'alert.accountId',
      'alert.month',
      'alert.multiple',
      'alert.thresholdMicros',
      'alert.spentMicros',
    ]),
);

const markMailed = prepared(
  'ledger.alerts.mailed',
  (db, p: Params<Pick<SpendAlert, (typeof KEY)[number]> & { at: Date }>) =>
    db
      .updateTable('SpendAlert')
      .set({ mailedAt: p.at })
      .where('accountId', '=', p.accountId)
      .where('month', '=', p.month)
      .where('multiple', '=', p.multiple),
);

/**
 * Mails up to twenty alerts not yet told, those never tried first; one for each month and multiple of the threshold. Safe in several
 * processes: an alert is claimed before it is mailed, and a failed one is free again once its claim ends. At least once: after a crash just
 * past the sending, the mail is repeated. Each attempt is a `ledger.spend_alert` log line. Returns how many were told; a failure is logged.
 * Never throws: the debits are already written. `waitMs`: the longest wait for the mail server; the mails then go on in the background, and 0
 * is returned.
 */
export async function sendSpendAlerts(
  ctx: Context,
  input: { mail: (alert: SpendAlert) => Promise<void>; waitMs?: number },
): Promise<number> {
  const sent = sendClaimed(ctx, input).catch((error: unknown) => {
    ctx.log.error('ledger.spend_alert.failed', faultFields(error));
    return 0;
  });
  return input.waitMs === undefined ? sent : waitAtMost(sent, input.waitMs, 0);
}

async function sendClaimed(
  ctx: Context,
  input: { mail: (alert: SpendAlert) => Promise<void> },
): Promise<number> {
  const now = ctx.clock.now();
  const until = new Date(now.getTime() + LEASE_MS);
  const alerts: SpendAlert[] = await claimAlerts.all(ctx.kysely, { now, until });
  let sent = 0;
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
    const { accountId, month, multiple } = alert;
    await markMailed.run(ctx.kysely, { accountId, month, multiple, at: ctx.clock.now() });
    sent += 1;
  }
  return sent;
}
