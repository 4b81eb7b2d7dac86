import type { MemberActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { requireRecentVerification } from '#lib/core/recent-verification.ts';
import { transaction } from '#lib/db/transaction.ts';
import { notifyOfCredential, type Post } from '#lib/identity/notices/mail-notices.ts';
import { lockActor } from '#lib/identity/sessions/lock-actor.ts';
import type { WebhookContext } from '../context.ts';
import { MAX_ENDPOINTS } from '../limits.ts';
import { newWebhookSecret } from '../secrets.ts';
import { checkEndpointFields, type EndpointFields } from './endpoint-fields.ts';

export type MadeSecret = { id: string; host: string; secret: string; previousEndsAt: Date | null };

/**
 * Subscribes an address to events of the account. The secret is in this answer and nowhere else. Errors: `invalid_request` naming the
 * field (an address that `safePost` would refuse, unknown events), `verification_required`, `forbidden` once the session has ended, `conflict`
 * (`too-many-endpoints`). `post` tells the member by mail.
 */
export async function createEndpoint(
  ctx: WebhookContext<MemberActor>,
  input: EndpointFields,
  post?: Post,
): Promise<MadeSecret> {
  const { accountId, memberId } = ctx.actor;
  requireRecentVerification(ctx);
  const { url, host, events } = await checkEndpointFields(ctx, input);
  const now = ctx.clock.now();
  const id = createId('webhookEndpoint', now);
  const secret = newWebhookSecret();
  await transaction(ctx, async (tx) => {
    // Creations of one account wait for each other: what is counted stays true.
    await tx.selectFrom('Account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
    await lockActor(tx, ctx);
    const { count } = await tx
      .selectFrom('WebhookEndpoint')
      .select((eb) => eb.fn.countAll<bigint>().as('count'))
      .where('accountId', '=', accountId)
      .executeTakeFirstOrThrow();
    if (Number(count) >= MAX_ENDPOINTS)
      throw new ServiceError('conflict', {
        detail: 'too-many-endpoints',
        message: `Un compte a ${MAX_ENDPOINTS} adresses au plus. Supprimez-en une, puis recommencez.`,
      });
    await tx
      .insertInto('WebhookEndpoint')
      .values({
        id,
        accountId,
        createdById: memberId,
        url,
        events,
        secret: ctx.webhooks.sealer.seal(secret, id),
        createdAt: now,
        updatedAt: now,
      })
      .execute();
    await recordAudits(tx, ctx, [
      {
        action: 'webhook.created',
        accountId,
        subject: { type: 'webhookEndpoint', id },
        data: { host, events },
      },
    ]);
  });
  await notifyOfCredential(ctx.kysely, post, { memberId, kind: 'endpoint', name: host });
  return { id, host, secret, previousEndsAt: null };
}
