import type { MemberActor } from '#lib/core/actor.ts';
import { createId } from '#lib/core/ids.ts';
import type { WebhookContext } from '../context.ts';
import { type Sent, send } from '../delivery/send.ts';
import { endpointNotFound, isEndpointInReach } from '../endpoints/reach.ts';

/** Sends a test event now, to this endpoint, disabled or not, and returns its answer. Nothing is stored. Errors: `not_found`. */
export async function sendTest(
  ctx: WebhookContext<MemberActor>,
  input: { endpointId: string },
): Promise<Sent> {
  const target = await ctx.kysely
    .selectFrom('WebhookEndpoint')
    .select(['id', 'url', 'secret', 'previousSecret', 'previousEndsAt'])
    .where('id', '=', input.endpointId)
    .where('accountId', '=', ctx.actor.accountId)
    .where(isEndpointInReach(ctx.actor))
    .executeTakeFirst();
  if (!target) throw endpointNotFound();
  const at = ctx.clock.now();
  return send(ctx, target, {
    id: createId('webhookDelivery', at),
    type: 'webhook.test',
    at,
    data: { endpointId: target.id },
  });
}
