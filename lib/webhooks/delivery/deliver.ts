import type { Actor } from '#lib/core/actor.ts';
import { faultFields } from '#lib/core/faults.ts';
import type { WebhookContext } from '../context.ts';
import { type Claimed, claimDeliveries } from './claim.ts';
import { recordAttempt } from './record.ts';
import { send } from './send.ts';

/** Counts of a pass: events delivered, to be sent again, given up, and not recorded (they are due again when their lease ends). */
export type DeliveryReport = { delivered: number; again: number; givenUp: number; errors: number };

export type DeliverOptions = {
  /** One account's events; every account's when absent. */
  accountId?: string;
  /** Nothing is begun once the pass has taken this long. Default 45 s: the scheduler comes every minute. */
  budgetMs?: number;
  /** Endpoints that are sent to at once, and events on their way to one of them. */
  endpoints?: number;
  each?: number;
};

/**
 * Sends due events. Each endpoint has its own few slots, and is not claimed again until they are free: one that hangs delays only its own
 * events, until its time limit. Concurrent passes share the work, on any instance.
 */
export async function deliverDue(
  ctx: WebhookContext<Actor>,
  options: DeliverOptions = {},
): Promise<DeliveryReport> {
  const { accountId = null, budgetMs = 45_000, endpoints = 48, each = 4 } = options;
  const endMs = ctx.clock.now().getTime() + budgetMs;
  const report: DeliveryReport = { delivered: 0, again: 0, givenUp: 0, errors: 0 };
  const lanes = new Map<string, Promise<void>>();
  while (!ctx.stopping?.aborted && ctx.clock.now().getTime() < endMs) {
    const free = endpoints - lanes.size;
    const claimed =
      free > 0 ? await claimDeliveries(ctx, { accountId, busy: lanes.keys(), endpoints: free, each }) : [];
    for (const [id, own] of byEndpoint(claimed)) {
      const lane = Promise.all(own.map((one) => attempt(ctx, one, report))).then(() => {
        lanes.delete(id);
      });
      lanes.set(id, lane);
    }
    if (lanes.size === 0) break;
    // Refills whichever slot is free first.
    await Promise.race(lanes.values());
  }
  await Promise.all(lanes.values());
  return report;
}

function byEndpoint(claimed: readonly Claimed[]): Map<string, Claimed[]> {
  return Map.groupBy(claimed, ({ endpoint }) => endpoint.id);
}

async function attempt(ctx: WebhookContext<Actor>, claimed: Claimed, report: DeliveryReport): Promise<void> {
  try {
    const recorded = await recordAttempt(ctx, claimed, await send(ctx, claimed.endpoint, claimed));
    if (recorded === 'delivered') report.delivered += 1;
    else if (recorded === 'again') report.again += 1;
    else if (recorded === 'given-up') report.givenUp += 1;
  } catch (error) {
    report.errors += 1;
    ctx.log.error('webhook.attempt_failed', {
      deliveryId: claimed.id,
      endpointId: claimed.endpoint.id,
      ...faultFields(error),
    });
  }
}
