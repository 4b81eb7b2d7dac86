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
/** A mail that a dead process may or may not have sent is tried again after this long. */
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
        // Those that nobody tried yet come first: twenty whose mails are refused for ever keep no other from being told.
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
 * Mails up to twenty alerts that are written and not yet told, those that nobody tried first; one for each multiple of the threshold and month. Safe to call from several
 * processes: an alert is claimed before it is mailed, and one whose mail failed, or whose process died, is free again once that claim ends. It
 * is told at least once: a mail taken just before the process died, or whose mark was lost, comes again. Each attempt is a `ledger.spend_alert` log line.
 * Returns how many were told; a failure is logged. Never throws: the debits that it reports are written already. `waitMs`: nobody waits for
 * a mail server longer; the mails then go on by themselves, and 0 is returned.
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
