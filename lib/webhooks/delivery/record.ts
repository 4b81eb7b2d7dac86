import type { AuditDetail } from '#lib/core/audit.ts';
import { recordAudits } from '#lib/core/audit.ts';
import { type Transaction, transaction } from '#lib/db/transaction.ts';
import type { WebhookContext } from '../context.ts';
import { FAILING_MS, FIRST_SENT_MS } from '../limits.ts';
import type { Claimed } from './claim.ts';
import { nextAttempt, restUntil } from './retry.ts';
import type { Sent } from './send.ts';

const MINUTE_MS = 60_000;

/** How an attempt ended: the event's row, then its endpoint's. `lost`: another pass had taken the event meanwhile. */
type Recorded = 'delivered' | 'again' | 'given-up' | 'lost';

/** Another pass had claimed the event: nothing of this attempt is written. */
class Lost extends Error {}

/** Records an attempt by a conditional update: nothing changes when its lease was over and another pass had claimed the event. */
export async function recordAttempt(ctx: WebhookContext, claimed: Claimed, sent: Sent): Promise<Recorded> {
  const now = ctx.clock.now();
  const chance = ctx.webhooks.chance();
  return transaction(ctx, async (tx): Promise<Recorded> => {
    const isDelivered = sent.result === 'accepted';
    // Locks the endpoint before its event, as disabling does: two attempts would otherwise deadlock.
    if (isDelivered) await recordSuccess(tx, claimed.endpoint.id, now);
    else await lockEndpoint(tx, claimed.endpoint.id);
    const again = isDelivered
      ? null
      : nextAttempt({ attempts: claimed.attempts, now, endsAt: claimed.endsAt, chance });
    const row = await tx
      .updateTable('WebhookDelivery')
      .set({
        lastStatus: 'status' in sent ? sent.status : null,
        lastError: sent.result === 'unanswered' ? sent.error : sent.result === 'unsealed' ? 'secret' : null,
        lastMs: 'ms' in sent ? sent.ms : null,
        ...(again
          ? { dueAt: again }
          : { state: isDelivered ? ('DELIVERED' as const) : ('FAILED' as const), closedAt: now }),
      })
      .where('id', '=', claimed.id)
      .where('state', '=', 'PENDING')
      .where('attempts', '=', claimed.attempts)
      .returning('id')
      .executeTakeFirst();
    if (!row) throw new Lost();
    if (isDelivered) return 'delivered';
    await recordFailure(ctx, tx, claimed, { sent, now, chance, isGivenUp: again === null });
    return again ? 'again' : 'given-up';
  }).catch((error: unknown): Recorded => {
    if (error instanceof Lost) return 'lost';
    throw error;
  });
}

async function lockEndpoint(tx: Transaction, endpointId: string): Promise<void> {
  await tx
    .selectFrom('WebhookEndpoint')
    .select('id')
    .where('id', '=', endpointId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Written once a minute at most while deliveries succeed. */
async function recordSuccess(tx: Transaction, endpointId: string, now: Date): Promise<void> {
  await tx
    .updateTable('WebhookEndpoint')
    .set({ failures: 0, failingSince: null, restsUntil: null, lastDeliveredAt: now })
    .where('id', '=', endpointId)
    .where((eb) =>
      eb.or([
        eb('failures', '>', 0),
        eb('lastDeliveredAt', 'is', null),
        eb('lastDeliveredAt', '<', new Date(now.getTime() - MINUTE_MS)),
      ]),
    )
    .execute();
}

async function recordFailure(
  ctx: WebhookContext,
  tx: Transaction,
  claimed: Claimed,
  { sent, now, chance, isGivenUp }: { sent: Sent; now: Date; chance: number; isGivenUp: boolean },
): Promise<void> {
  const { id } = claimed.endpoint;
  const endpoint = await tx
    .updateTable('WebhookEndpoint')
    .set((eb) => ({
      failures: eb('failures', '+', 1),
      failingSince: eb.fn.coalesce('failingSince', eb.val(now)),
    }))
    .where('id', '=', id)
    .returning(['failures', 'failingSince', 'restsUntil'])
    .executeTakeFirst();
  if (!endpoint) return;
  // Of concurrent failures, none may shorten the rest that another was asked for.
  const restsUntil = latest([
    endpoint.restsUntil,
    restUntil({ failures: endpoint.failures, now, chance }),
    sent.result === 'refused' ? (sent.notBefore ?? null) : null,
  ]);
  if (restsUntil) await tx.updateTable('WebhookEndpoint').set({ restsUntil }).where('id', '=', id).execute();
  const failingMs = now.getTime() - (endpoint.failingSince ?? now).getTime();
  const { accountId } = claimed;
  const host = new URL(claimed.endpoint.url).host;
  if (sent.result === 'refused' && sent.status === 410)
    await disableEndpoint(ctx, tx, { id, accountId, host, reason: 'gone' });
  else if (sent.result === 'unsealed')
    await disableEndpoint(ctx, tx, { id, accountId, host, reason: 'secret' });
  // Judged only by an event that is given up: else an old failure, with nothing sent for days, would disable at the next one.
  else if (isGivenUp && failingMs >= FAILING_MS - FIRST_SENT_MS)
    await disableEndpoint(ctx, tx, { id, accountId, host, reason: 'failing' });
}

function latest(instants: readonly (Date | null)[]): Date | null {
  return instants.reduce((last, one) => (last && (!one || last > one) ? last : one), null);
}

/**
 * Stops an endpoint, gives up what waits for it and audits it, in the caller's transaction. Who created it and the founders are told by
 * mail unless a member did it. False when it was disabled already, or is not this account's.
 */
export async function disableEndpoint(
  ctx: WebhookContext,
  tx: Transaction,
  input: {
    id: string;
    accountId: string;
    host: string;
    reason: AuditDetail<'webhook.disabled'>['reason'];
  },
): Promise<boolean> {
  const now = ctx.clock.now();
  const { id, accountId, host, reason } = input;
  const disabled = await tx
    .updateTable('WebhookEndpoint')
    .set({
      disabledAt: now,
      disabledReason: reason,
      updatedAt: now,
      noticeDueAt: reason === 'member' ? null : now,
    })
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .where('disabledAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (!disabled) return false;
  await tx
    .updateTable('WebhookDelivery')
    .set({ state: 'FAILED', closedAt: now })
    .where('endpointId', '=', id)
    .where('state', '=', 'PENDING')
    .execute();
  await recordAudits(tx, ctx, [
    {
      action: 'webhook.disabled',
      accountId,
      subject: { type: 'webhookEndpoint', id },
      data: { host, reason },
    },
  ]);
  return true;
}
