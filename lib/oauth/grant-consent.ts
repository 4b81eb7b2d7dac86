import { isWritingScope, type MemberActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { requireAsShown } from '#lib/core/input/as-shown.ts';
import type { Shown } from '#lib/core/input/shown-as.ts';
import type { Micros } from '#lib/core/money.ts';
import { requireRecentVerification } from '#lib/core/recent-verification.ts';
import type { SpaceRights } from '#lib/db/space-rights.ts';
import { type Transaction, transaction } from '#lib/db/transaction.ts';
import { requireGivable, spacesColumn } from '#lib/identity/given-spaces.ts';
import { notifyOfCredential, type Post } from '#lib/identity/notices/mail-notices.ts';
import { lockActor } from '#lib/identity/sessions/lock-actor.ts';
import { allowanceProblem, DEFAULT_ALLOWANCE_MICROS, openAllowance } from '#lib/ledger/allowances.ts';
import { type AuthorizationRequest, answerLocation } from './check-authorization.ts';
import { CODE_LIFETIME_MS, REFRESH_LIFETIME_MS } from './protocol/config.ts';
import { newCode } from './protocol/tokens.ts';
import { readApplicationCap } from './read-application-cap.ts';

/**
 * Records the member's consent to the request, and returns the redirect address with the client's code: single use, valid for 60 seconds,
 * stored as a hash. `post` tells the member by mail. Errors: `verification_required` where it allows writing or spending, `invalid_request`,
 * `forbidden` once the session has ended, `conflict` when the cap of a connected application is no longer as `shown`.
 */
export async function grantConsent(
  ctx: Context<MemberActor>,
  input: {
    request: AuthorizationRequest;
    issuer: string;
    /** What it may spend in a UTC month where it asks for generations; 5 $US when nothing is said. */
    monthlyCapMicros?: Micros | undefined;
    /** The Spaces that this connection opens; null or absent: all of the member's. */
    spaces?: SpaceRights | null | undefined;
    shown?: Shown | undefined;
  },
  post?: Post,
): Promise<string> {
  const { request, issuer, spaces = null } = input;
  if (request.scopes.some(isWritingScope)) requireRecentVerification(ctx);
  const spends = request.scopes.includes('studio:generate');
  const monthlyCapMicros = spends ? (input.monthlyCapMicros ?? DEFAULT_ALLOWANCE_MICROS) : null;
  const message = monthlyCapMicros === null ? null : allowanceProblem(monthlyCapMicros);
  if (message)
    throw new ServiceError('invalid_request', {
      message,
      problems: [{ field: 'monthlyCapMicros', message }],
    });
  const now = ctx.clock.now();
  const { accountId, memberId } = ctx.actor;
  const grantId = createId('oauthGrant', now);
  const code = newCode();
  await transaction(ctx, async (tx) => {
    await lockActor(tx, ctx);
    await tx.updateTable('OAuthClient').set({ usedAt: now }).where('id', '=', request.client.id).execute();
    if (monthlyCapMicros !== null) await requireCapAsShown(tx, ctx, { ...input, monthlyCapMicros });
    const allowanceId =
      monthlyCapMicros === null
        ? null
        : await openAllowance(tx, ctx, {
            accountId,
            memberId,
            monthlyCapMicros,
            clientId: request.client.id,
          });
    const named = await requireGivable(tx, ctx, { accountId, spaces });
    await tx
      .insertInto('OAuthGrant')
      .values({
        id: grantId,
        accountId,
        memberId,
        clientId: request.client.id,
        resource: request.resource,
        scopes: request.scopes,
        createdAt: now,
        expiresAt: new Date(now.getTime() + REFRESH_LIFETIME_MS),
        allowanceId,
        spaceRights: spacesColumn(spaces),
      })
      .execute();
    await tx
      .insertInto('OAuthCode')
      .values({
        id: createId('oauthCode', now),
        grantId,
        codeHash: code.hash,
        challenge: request.challenge,
        redirectUri: request.redirectUri,
        createdAt: now,
        expiresAt: new Date(now.getTime() + CODE_LIFETIME_MS),
      })
      .execute();
    await recordAudits(tx, ctx, [
      {
        action: 'oauth.granted',
        accountId,
        subject: { type: 'oauthGrant', id: grantId },
        data: {
          name: request.client.name,
          clientId: request.client.id,
          scopes: request.scopes,
          resource: request.resource,
          monthlyCapMicros: monthlyCapMicros?.toString() ?? null,
          ...(named === null ? {} : { spaces: named }),
        },
      },
    ]);
  });
  await notifyOfCredential(ctx.kysely, post, { memberId, kind: 'application', name: request.client.name });
  return answerLocation(request.redirectUri, {
    code: code.secret,
    ...(request.state === null ? {} : { state: request.state }),
    iss: issuer,
  });
}

async function requireCapAsShown(
  tx: Transaction,
  ctx: Context<MemberActor>,
  input: { request: AuthorizationRequest; monthlyCapMicros: Micros; shown?: Shown | undefined },
): Promise<void> {
  if (!input.shown) return;
  const now = await readApplicationCap(tx, ctx, { clientId: input.request.client.id, lock: true });
  // Its connections have ended since: there is no cap to compare.
  if (now === null) return;
  const what = 'Le plafond de cette application a été changé';
  const changed = { monthlyCapMicros: { what, now, next: input.monthlyCapMicros } };
  requireAsShown(input.shown, changed, 'Relancez la connexion depuis l’application.');
}
