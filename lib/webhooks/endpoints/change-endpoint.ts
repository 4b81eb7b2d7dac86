import type { MemberActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { requireAsShown } from '#lib/core/input/as-shown.ts';
import type { Shown } from '#lib/core/input/shown-as.ts';
import { transaction } from '#lib/db/transaction.ts';
import { lockActor } from '#lib/identity/sessions/lock-actor.ts';
import type { WebhookContext } from '../context.ts';
import { disableEndpoint } from '../delivery/record.ts';
import { eventsProblem } from '../events.ts';
import { lockEndpoint } from './lock-endpoint.ts';

/** Changes which events an endpoint is told from now on. Errors: `invalid_request`, `not_found`, `conflict` when they are no longer as `shown`. */
export async function changeEndpointEvents(
  ctx: WebhookContext<MemberActor>,
  input: { endpointId: string; events: readonly string[]; shown?: Shown | undefined },
): Promise<void> {
  const events = [...new Set(input.events)];
  const problem = eventsProblem(ctx.actor, events);
  if (problem) throw new ServiceError('invalid_request', { message: problem.message, problems: [problem] });
  await transaction(ctx, async (tx) => {
    const { id, accountId, host, events: now } = await lockEndpoint(ctx, tx, input.endpointId);
    requireAsShown(input.shown, { events: { what: 'Ces événements ont été changés', now, next: events } });
    await tx
      .updateTable('WebhookEndpoint')
      .set({ events, updatedAt: ctx.clock.now() })
      .where('id', '=', id)
      .execute();
    await recordAudits(tx, ctx, [
      {
        action: 'webhook.changed',
        accountId,
        subject: { type: 'webhookEndpoint', id },
        data: { host, events },
      },
    ]);
  });
}

/**
 * Disables an endpoint, which drops its waiting events, or enables it again from now on. Doing it twice is harmless. Errors: `not_found`,
 * `forbidden` to enable it once the session has ended.
 */
export async function setEndpointEnabled(
  ctx: WebhookContext<MemberActor>,
  input: { endpointId: string; enabled: boolean },
): Promise<void> {
  await transaction(ctx, async (tx) => {
    if (input.enabled) await lockActor(tx, ctx);
    const { id, accountId, host, disabledAt } = await lockEndpoint(ctx, tx, input.endpointId);
    if (!input.enabled) {
      await disableEndpoint(ctx, tx, { id, accountId, host, reason: 'member' });
      return;
    }
    if (!disabledAt) return;
    await tx
      .updateTable('WebhookEndpoint')
      .set({
        disabledAt: null,
        disabledReason: null,
        noticeDueAt: null,
        failures: 0,
        failingSince: null,
        restsUntil: null,
        updatedAt: ctx.clock.now(),
      })
      .where('id', '=', id)
      .execute();
    await recordAudits(tx, ctx, [
      { action: 'webhook.enabled', accountId, subject: { type: 'webhookEndpoint', id }, data: { host } },
    ]);
  });
}

/** Deletes an endpoint with its deliveries. Errors: `not_found`. */
export async function deleteEndpoint(
  ctx: WebhookContext<MemberActor>,
  input: { endpointId: string },
): Promise<void> {
  await transaction(ctx, async (tx) => {
    const { id, accountId, host } = await lockEndpoint(ctx, tx, input.endpointId);
    await tx.deleteFrom('WebhookEndpoint').where('id', '=', id).execute();
    await recordAudits(tx, ctx, [
      { action: 'webhook.deleted', accountId, subject: { type: 'webhookEndpoint', id }, data: { host } },
    ]);
  });
}
