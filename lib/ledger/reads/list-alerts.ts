import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { Micros } from '#lib/core/money.ts';
import { requireGrant } from '../access.ts';

export type PastAlert = {
  month: string;
  /** 1 for the first threshold, 2 for twice the threshold, and so on. */
  multiple: number;
  thresholdMicros: Micros;
  /** What the month's settlements came to when it was crossed. */
  spentMicros: Micros;
  createdAt: Date;
  /** Null: the mail to the founders has not left yet. */
  mailedAt: Date | null;
};

/** The most alerts that are listed. */
export const ALERTS_SHOWN = 24;

/** The latest spend alerts of the acting account and of no other, at most 24. Founders; else `forbidden`. */
export async function listAlerts(ctx: Context<AccountActor>): Promise<PastAlert[]> {
  requireGrant(ctx);
  return ctx.db.spendAlert.findMany({
    where: { accountId: ctx.actor.accountId },
    orderBy: [{ month: 'desc' }, { multiple: 'desc' }],
    take: ALERTS_SHOWN,
    select: {
      month: true,
      multiple: true,
      thresholdMicros: true,
      spentMicros: true,
      createdAt: true,
      mailedAt: true,
    },
  });
}
