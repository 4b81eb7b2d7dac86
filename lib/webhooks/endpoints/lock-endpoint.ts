import type { MemberActor } from '#lib/core/actor.ts';
import type { Transaction } from '#lib/db/transaction.ts';
import type { WebhookContext } from '../context.ts';
import { endpointNotFound, isEndpointInReach } from './reach.ts';

/** An endpoint of the account within the actor's reach, locked until the transaction ends. Errors: `not_found`. */
export async function lockEndpoint(ctx: WebhookContext<MemberActor>, tx: Transaction, endpointId: string) {
  const endpoint = await tx
    .selectFrom('WebhookEndpoint')
    .select(['id', 'accountId', 'createdById', 'url', 'secret', 'events', 'disabledAt'])
    .select(['previousSecret', 'previousEndsAt'])
    .where('id', '=', endpointId)
    .where('accountId', '=', ctx.actor.accountId)
    .where(isEndpointInReach(ctx.actor))
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!endpoint) throw endpointNotFound();
  return { ...endpoint, host: new URL(endpoint.url).host };
}
