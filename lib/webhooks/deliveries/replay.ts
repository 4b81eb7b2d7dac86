import type { MemberActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { transaction } from '#lib/db/transaction.ts';
import type { WebhookContext } from '../context.ts';
import { lockEndpoint } from '../endpoints/lock-endpoint.ts';
import { RETRY_MS } from '../limits.ts';

/**
 * Sends one event again, delivered or given up, or all that were given up since an instant: under the same `webhook-id`, so that a
 * subscriber knows what it has. Returns how many will go. Errors: `not_found`, `conflict` while the endpoint is disabled.
 */
export async function replayDeliveries(
  ctx: WebhookContext<MemberActor>,
  input: { endpointId: string } & ({ deliveryId: string } | { failedSince: Date }),
): Promise<number> {
  const now = ctx.clock.now();
  return transaction(ctx, async (tx) => {
    const { id, accountId, host, disabledAt } = await lockEndpoint(ctx, tx, input.endpointId);
    if (disabledAt)
      throw new ServiceError('conflict', {
        message: 'Les envois à cette adresse sont arrêtés\u00a0: reprenez-les d’abord.',
      });
    const again = tx
      .updateTable('WebhookDelivery')
      .set({
        state: 'PENDING',
        attempts: 0,
        dueAt: now,
        endsAt: new Date(now.getTime() + RETRY_MS),
        closedAt: null,
      })
      .where('endpointId', '=', id)
      .where('accountId', '=', accountId);
    const rows = await ('deliveryId' in input
      ? again.where('id', '=', input.deliveryId).where('state', '<>', 'PENDING')
      : again.where('state', '=', 'FAILED').where('at', '>=', input.failedSince)
    )
      .returning('id')
      .execute();
    if (rows.length === 0 && 'deliveryId' in input) {
      const waiting = await tx
        .selectFrom('WebhookDelivery')
        .select('id')
        .where('id', '=', input.deliveryId)
        .where('endpointId', '=', id)
        .executeTakeFirst();
      if (!waiting) throw new ServiceError('not_found', { message: 'Cet événement est introuvable.' });
    }
    if (rows.length > 0)
      await recordAudits(tx, ctx, [
        {
          action: 'webhook.replayed',
          accountId,
          subject: { type: 'webhookEndpoint', id },
          data: { host, deliveries: rows.length },
        },
      ]);
    return rows.length;
  });
}
