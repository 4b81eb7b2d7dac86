import type { MemberActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { requireRecentVerification } from '#lib/core/recent-verification.ts';
import { transaction } from '#lib/db/transaction.ts';
import { notifyOfCredential, type Post } from '#lib/identity/notices/mail-notices.ts';
import type { WebhookContext } from '../context.ts';
import { formerSecrets, sealFormerSecrets } from '../former-secrets.ts';
import { OVERLAP_HOURS } from '../limits.ts';
import { newWebhookSecret } from '../secrets.ts';
import type { MadeSecret } from './create-endpoint.ts';
import { lockEndpoint } from './lock-endpoint.ts';
import { requireOwnEndpoint } from './reach.ts';

const HOUR_MS = 3_600_000;

/**
 * Gives an endpoint a new secret, shown once; until `overlapHours` from now the former signs too (0: no longer, nor does any before it). One that
 * was promised to sign until later still does: the answer that gave its successor may have been lost, or another tab's. Errors:
 * `invalid_request`, `verification_required`, `not_found`, `conflict` for another member's. `post` tells the member by mail: who has
 * the secret signs in our name.
 */
export async function rotateSecret(
  ctx: WebhookContext<MemberActor>,
  input: { endpointId: string; overlapHours: number },
  post?: Post,
): Promise<MadeSecret> {
  if (!OVERLAP_HOURS.some((hours) => hours === input.overlapHours))
    throw new ServiceError('invalid_request', {
      problems: [{ field: 'overlapHours', message: 'Choisissez tout de suite, un jour ou trois jours.' }],
    });
  requireRecentVerification(ctx);
  const now = ctx.clock.now();
  const secret = newWebhookSecret();
  const previousEndsAt = new Date(now.getTime() + input.overlapHours * HOUR_MS);
  const made = await transaction(ctx, async (tx) => {
    const endpoint = await lockEndpoint(ctx, tx, input.endpointId);
    requireOwnEndpoint(ctx.actor, endpoint);
    const { id, accountId, host } = endpoint;
    const { sealer } = ctx.webhooks;
    const current = sealer.open(endpoint.secret, id);
    const replaced = current === null ? [] : [{ secret: current, endsAt: previousEndsAt }];
    const former = formerSecrets(sealer, endpoint, now);
    await tx
      .updateTable('WebhookEndpoint')
      .set({
        secret: sealer.seal(secret, id),
        ...sealFormerSecrets(sealer, id, input.overlapHours > 0 ? [...replaced, ...former] : []),
        updatedAt: now,
      })
      .where('id', '=', id)
      .execute();
    await recordAudits(tx, ctx, [
      {
        action: 'webhook.secret_rotated',
        accountId,
        subject: { type: 'webhookEndpoint', id },
        data: { host, previousEndsAt: previousEndsAt.toISOString() },
      },
    ]);
    return { id, host, secret, previousEndsAt };
  });
  const { memberId } = ctx.actor;
  await notifyOfCredential(ctx.kysely, post, { memberId, kind: 'secret', name: made.host });
  return made;
}
