import type { ExpressionBuilder } from 'kysely';
import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { WebhookState } from '#lib/db/generated/tables.ts';
import type { DB } from '#lib/db/types.ts';
import { subscribableBy } from '../events.ts';
import { endpointNotFound, isEndpointInReach } from './reach.ts';

/** How many are shown as a number; more say so. */
export const COUNTED = 1_000;

/** The account's endpoints within reach, oldest first, without anything secret. */
export async function listEndpoints(ctx: Context<AccountActor>, input: { endpointId?: string } = {}) {
  const counted = (state: WebhookState) => (eb: ExpressionBuilder<DB, 'WebhookEndpoint'>) =>
    eb
      .selectFrom(
        eb
          .selectFrom('WebhookDelivery as d')
          .select('d.id')
          .whereRef('d.endpointId', '=', 'WebhookEndpoint.id')
          .where('d.state', '=', state)
          .limit(COUNTED)
          .as('some'),
      )
      .select((on) => on.fn.countAll<bigint>().as('count'));
  const rows = await ctx.kysely
    .selectFrom('WebhookEndpoint')
    .innerJoin('Member as m', 'm.id', 'WebhookEndpoint.createdById')
    .select([
      'WebhookEndpoint.id',
      'url',
      'events',
      'WebhookEndpoint.createdAt',
      'previousEndsAt',
      'disabledAt',
      'disabledReason',
      'failures',
      'failingSince',
      'restsUntil',
      'lastDeliveredAt',
      'm.id as memberId',
      'm.name as memberName',
      'm.status as memberStatus',
      'm.role as memberRole',
      'm.permissions as memberPermissions',
    ])
    .select((eb) => [counted('PENDING')(eb).as('waiting'), counted('FAILED')(eb).as('failed')])
    .where('WebhookEndpoint.accountId', '=', ctx.actor.accountId)
    .where(isEndpointInReach(ctx.actor))
    .$if(input.endpointId !== undefined, (qb) => qb.where('WebhookEndpoint.id', '=', input.endpointId ?? ''))
    .orderBy('WebhookEndpoint.createdAt')
    .orderBy('WebhookEndpoint.id')
    .execute();
  return rows.map(({ waiting, failed, memberId, memberName, memberStatus, ...row }) => {
    const { memberRole: role, memberPermissions: permissions, ...endpoint } = row;
    return {
      ...endpoint,
      host: new URL(endpoint.url).host,
      waiting: Number(waiting ?? 0),
      failed: Number(failed ?? 0),
      /** No event is sent while its creator is not an active member. */
      isOrphan: memberStatus !== 'ACTIVE',
      /** The events that it may receive, by its creator's rights. */
      subscribable: subscribableBy({ role, permissions }),
      member: { id: memberId, name: memberName },
    };
  });
}

export type EndpointView = Awaited<ReturnType<typeof listEndpoints>>[number];

/** One of them. Errors: `not_found`. */
export async function getEndpoint(
  ctx: Context<AccountActor>,
  input: { endpointId: string },
): Promise<EndpointView> {
  const [endpoint] = await listEndpoints(ctx, input);
  if (!endpoint) throw endpointNotFound();
  return endpoint;
}
