import { sql } from 'kysely';
import { faultFields } from '#lib/core/faults.ts';
import { transaction } from '#lib/db/transaction.ts';
import type { WebhookContext } from '../context.ts';
import { FAILURES_TO_REST, MAX_WAITING } from '../limits.ts';
import { disableEndpoint } from './record.ts';

/** How long a claim lasts: after a crash, the mail is tried again. */
const LEASE_MS = 10 * 60_000;
const BATCH = 20;

/** Mails each disabling that is not told yet to who created the endpoint and to the founders. What fails is tried by a later pass. */
export async function mailDisabled(ctx: WebhookContext): Promise<number> {
  const now = ctx.clock.now();
  const leaseEndsAt = new Date(now.getTime() + LEASE_MS);
  const due = await ctx.kysely
    .updateTable('WebhookEndpoint as e')
    .set({ noticeDueAt: leaseEndsAt })
    .from((eb) =>
      eb
        .selectFrom('WebhookEndpoint')
        .select('id')
        .where('noticeDueAt', '<=', now)
        .limit(BATCH)
        .forUpdate()
        .skipLocked()
        .as('due'),
    )
    .whereRef('e.id', '=', 'due.id')
    .returning(['e.id', 'e.accountId', 'e.url', 'e.disabledReason', 'e.createdById'])
    .execute();
  let sent = 0;
  for (const { id, accountId, url, disabledReason, createdById } of due) {
    try {
      const members = await ctx.kysely
        .selectFrom('Member')
        .select('email')
        .where('accountId', '=', accountId)
        .where('status', '=', 'ACTIVE')
        .where((eb) => eb.or([eb('id', '=', createdById), eb('role', '=', 'FOUNDER')]))
        .where('email', 'is not', null)
        .orderBy('email')
        .execute();
      const emails = members.flatMap(({ email }) => email ?? []);
      const host = new URL(url).host;
      if (emails.length > 0)
        await ctx.webhooks.mail({ accountId, endpointId: id, host, reason: disabledReason ?? '', emails });
      await ctx.kysely
        .updateTable('WebhookEndpoint')
        .set({ noticeDueAt: null })
        .where('id', '=', id)
        // Unless it was enabled and disabled again while the mail was sent: that disabling is still to be told.
        .where('noticeDueAt', '=', leaseEndsAt)
        .execute();
      sent += 1;
    } catch (error) {
      ctx.log.error('webhook.notice_failed', { endpointId: id, ...faultFields(error) });
    }
  }
  return sent;
}

/** Disables endpoints that fail and for which more events wait than are kept for anybody. */
export async function disableOverdue(ctx: WebhookContext): Promise<void> {
  const over = await ctx.kysely
    .selectFrom('WebhookEndpoint as e')
    .select(['e.id', 'e.accountId', 'e.url'])
    .where('e.disabledAt', 'is', null)
    .where('e.failures', '>=', FAILURES_TO_REST)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('WebhookDelivery as d')
          .select(sql.lit(1).as('one'))
          .whereRef('d.endpointId', '=', 'e.id')
          .where('d.state', '=', sql.lit('PENDING'))
          .offset(MAX_WAITING)
          .limit(1),
      ),
    )
    .execute();
  for (const { id, accountId, url } of over)
    await transaction(ctx, (tx) =>
      disableEndpoint(ctx, tx, { id, accountId, host: new URL(url).host, reason: 'backlog' }),
    );
}
