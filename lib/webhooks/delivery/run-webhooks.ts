import type { SystemActor } from '#lib/core/actor.ts';
import { faultFields } from '#lib/core/faults.ts';
import { waitAtMost } from '#lib/core/resource-limits/wait-at-most.ts';
import type { WebhookContext } from '../context.ts';
import { type DeliverOptions, type DeliveryReport, deliverDue } from './deliver.ts';
import { disableOverdue, mailDisabled } from './notices.ts';
import { notifyThresholds } from './thresholds.ts';

/** A mail server that hangs costs the pass this long, never its report: what it did not take is told by a later one, once its lease ends. */
const NOTICES_MS = 5_000;

type WebhooksReport = DeliveryReport & { thresholds: number; notices: number };

/** The scheduler's pass: thresholds reached since the last one, what is due, then who has to know of an endpoint that was disabled. */
export async function runWebhooks(
  ctx: WebhookContext<SystemActor>,
  { noticesMs = NOTICES_MS, ...options }: DeliverOptions & { noticesMs?: number } = {},
): Promise<WebhooksReport> {
  // What fails here is looked at again in a minute; deliveries go on.
  const apart = async <T>(task: string, work: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      ctx.log.error('cron.task_failed', { task, ...faultFields(error) });
      return otherwise;
    }
  };
  const thresholds = await apart('webhook-thresholds', () => notifyThresholds(ctx), 0);
  const delivered = await deliverDue(ctx, options);
  await apart('webhook-backlogs', () => disableOverdue(ctx), undefined);
  const notices = await waitAtMost(
    apart('webhook-notices', () => mailDisabled(ctx), 0),
    noticesMs,
    0,
  );
  const report = { ...delivered, thresholds, notices };
  if (Object.values(report).some((count) => count > 0)) ctx.log.info('cron.webhooks.done', report);
  return report;
}
