import { systemClock } from '#lib/core/clock.ts';
import { deliverDue } from '#lib/webhooks/delivery/deliver.ts';
import { createContext } from '../runtime/context.ts';
import { afterAnswer } from '../runtime/run-later.ts';
import { webhookPorts } from './ports.ts';

/** How long an account without endpoints is not looked at again by this process; the scheduler finds it meanwhile. */
const NONE_MS = 60_000;
const BUDGET_MS = 10_000;
const REMEMBERED = 10_000;

const withoutEndpoints = new Map<string, number>();
const underWay = new Map<string, { again: boolean }>();

/**
 * Once the answer has left, sends the events of this account; the scheduler sends what this leaves. One pass an account and
 * process at a time. Outside a request of the server nothing is done.
 */
export function deliverSoon(accountId: string): void {
  const nowMs = systemClock.now().getTime();
  if ((withoutEndpoints.get(accountId) ?? 0) > nowMs) return;
  afterAnswer('webhook.deliver_soon_failed', () => deliver(accountId));
}

/** An endpoint was just made: its account is no longer known as one without endpoints. */
export function recheckEndpoints(accountId: string): void {
  withoutEndpoints.delete(accountId);
}

async function deliver(accountId: string): Promise<void> {
  const running = underWay.get(accountId);
  if (running) {
    running.again = true;
    return;
  }
  const own = { again: false };
  underWay.set(accountId, own);
  try {
    const ctx = {
      ...createContext({ type: 'system' as const, job: 'webhooks' as const }),
      webhooks: webhookPorts(),
    };
    const endpoint = await ctx.kysely
      .selectFrom('WebhookEndpoint')
      .select('id')
      .where('accountId', '=', accountId)
      .where('disabledAt', 'is', null)
      .limit(1)
      .executeTakeFirst();
    if (!endpoint) {
      if (withoutEndpoints.size >= REMEMBERED) withoutEndpoints.clear();
      withoutEndpoints.set(accountId, ctx.clock.now().getTime() + NONE_MS);
      return;
    }
    do {
      own.again = false;
      await deliverDue(ctx, { accountId, budgetMs: BUDGET_MS });
    } while (own.again);
  } finally {
    underWay.delete(accountId);
  }
}
