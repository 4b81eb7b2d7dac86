import { createId } from '#lib/core/ids.ts';
import type { WebhookState } from '#lib/db/generated/tables.ts';
import { SUBSCRIBABLE } from '#lib/webhooks/events.ts';
import type { Scenes, Seat } from './brain.ts';

const MINUTE_MS = 60_000;

/** An account with three webhook endpoints: working, failing and disabled. Returns the identifier of the failing one, which has deliveries. */
export async function eventsScene(scenes: Scenes): Promise<{ seat: Seat; endpointId: string }> {
  const seat = await scenes.seat();
  const { db } = scenes.reached;
  const { accountId, memberId: createdById } = seat.ctx.actor;
  const now = new Date();
  const ago = (minutes: number) => new Date(now.getTime() - minutes * MINUTE_MS);
  const endpoint = (url: string, more: object) =>
    db.webhookEndpoint.create({
      data: {
        id: createId('webhookEndpoint'),
        accountId,
        createdById,
        url,
        secret: Buffer.from('scene'),
        events: [...SUBSCRIBABLE],
        createdAt: ago(9_000),
        updatedAt: ago(9_000),
        ...more,
      },
    });
  await endpoint('https://boutique.maison-lumen.fr/atelier', { lastDeliveredAt: ago(3) });
  const failing = await endpoint(
    'https://automatisations.maison-lumen-et-compagnie-des-eclairages.fr/crochets/atelier/v2?boutique=lyon',
    { failures: 7, failingSince: ago(200), restsUntil: new Date(now.getTime() + 8 * MINUTE_MS) },
  );
  await endpoint('https://ancien.maison-lumen.fr/', { disabledAt: ago(600), disabledReason: 'gone' });
  const row = (type: string, state: WebhookState, minutes: number, more: object = {}) =>
    db.webhookDelivery.create({
      data: {
        id: createId('webhookDelivery'),
        accountId,
        endpointId: failing.id,
        type,
        state,
        subjectId: createId('memory'),
        data: {},
        at: ago(minutes),
        dueAt: ago(minutes),
        endsAt: ago(minutes - 1_440),
        ...more,
      },
    });
  const closed = (minutes: number) => ({ closedAt: ago(minutes) });
  await row('memory.added', 'DELIVERED', 400, { attempts: 1, lastStatus: 204, lastMs: 84, ...closed(400) });
  await row('quota.reached', 'DELIVERED', 390, { attempts: 3, lastStatus: 200, lastMs: 310, ...closed(380) });
  await row('memory.changed', 'FAILED', 200, {
    attempts: 9,
    lastError: 'timeout',
    lastMs: 5_000,
    ...closed(2),
  });
  await row('generation.closed', 'FAILED', 190, { attempts: 9, lastStatus: 500, lastMs: 120, ...closed(1) });
  const dueAt = new Date(now.getTime() + 25 * MINUTE_MS);
  await row('memory.deleted', 'PENDING', 100, { attempts: 4, lastStatus: 503, lastMs: 95, dueAt });
  await row('memory.added', 'PENDING', 2);
  return { seat, endpointId: failing.id };
}
