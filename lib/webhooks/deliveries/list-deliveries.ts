import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { WebhookState } from '#lib/db/generated/tables.ts';

const PAGE_ROWS = 50;

export type DeliveryState = WebhookState;

/**
 * Deliveries of an endpoint that the caller has in reach (`getEndpoint`), latest first, 50 at a time; `before` is the last position of
 * the page above.
 */
export async function listDeliveries(
  ctx: Context<AccountActor>,
  input: { endpointId: string; state?: WebhookState; before?: bigint },
) {
  const { state, before } = input;
  const rows = await ctx.kysely
    .selectFrom('WebhookDelivery')
    .select([
      'id',
      'position',
      'type',
      'subjectId',
      'at',
      'state',
      'attempts',
      'dueAt',
      'lastStatus',
      'lastError',
      'lastMs',
      'closedAt',
    ])
    .where('endpointId', '=', input.endpointId)
    .where('accountId', '=', ctx.actor.accountId)
    .$if(state !== undefined, (qb) => qb.where('state', '=', state as WebhookState))
    .$if(before !== undefined, (qb) => qb.where('position', '<', before as bigint))
    .orderBy('position', 'desc')
    .limit(PAGE_ROWS + 1)
    .execute();
  const deliveries = rows.slice(0, PAGE_ROWS);
  return { deliveries, next: rows.length > PAGE_ROWS ? (deliveries.at(-1)?.position ?? null) : null };
}

export type DeliveryView = Awaited<ReturnType<typeof listDeliveries>>['deliveries'][number];
