import type { Actor, MemberActor, PersonActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { transaction } from '#lib/db/transaction.ts';
import type { Transaction } from '#lib/db/types.ts';
import { isAnyLocked, isAnyOf } from '#lib/db/values.ts';
import { liveEndpoints, liveGrants, liveKeys, liveShares } from './live-credentials.ts';

/** A session is a person's, whichever of their accounts it is in. */
function personOf(tx: Transaction, member: { accountId: string; memberId: string }) {
  return tx
    .selectFrom('Member')
    .select('personId')
    .where('id', '=', member.memberId)
    .where('accountId', '=', member.accountId);
}

/** Open sessions, in a fixed lock order: a person who ends all of theirs may run beside a founder who ends those of one account. */
function openSessions(tx: Transaction, now: Date) {
  return tx
    .selectFrom('Session')
    .select('id')
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now)
    .orderBy('id')
    .forNoKeyUpdate();
}

/**
 * Ends one of the person's own sessions; its next request is refused. Ending it twice is harmless.
 * Errors: `not_found` for a session that is not theirs.
 */
export async function revokeSession(ctx: Context<MemberActor>, input: { sessionId: string }): Promise<void> {
  const { accountId, memberId } = ctx.actor;
  await transaction(ctx, async (tx) => {
    const session = await tx
      .selectFrom('Session')
      .select('revokedAt')
      .where('id', '=', input.sessionId)
      .where('personId', '=', personOf(tx, { accountId, memberId }))
      .forUpdate()
      .executeTakeFirst();
    if (!session) throw new ServiceError('not_found', { message: 'Cette session est introuvable.' });
    if (session.revokedAt) return;
    await tx
      .updateTable('Session')
      .set({ revokedAt: ctx.clock.now() })
      .where('id', '=', input.sessionId)
      .execute();
    await recordAudits(tx, ctx, [
      { action: 'session.revoked', accountId, subject: { type: 'session', id: input.sessionId } },
    ]);
  });
}

/**
 * Ends all of the person's sessions, in every account, this browser's included. On demand also ends their keys, applications, passkeys, links
 * and webhook endpoints, any of which somebody with a stolen session could have created. Returns how many sessions were still open.
 */
export async function revokeAllSessions(
  ctx: Context<MemberActor>,
  input: { withCredentials?: boolean } = {},
): Promise<number> {
  const { accountId, memberId } = ctx.actor;
  const now = ctx.clock.now();
  return transaction(ctx, async (tx) => {
    if (input.withCredentials) await lockDoors(tx, ctx);
    const passkeysRemoved = input.withCredentials ? await removePasskeys(tx, ctx) : 0;
    const open = openSessions(tx, now).where('personId', '=', personOf(tx, { accountId, memberId }));
    const ended = await tx
      .updateTable('Session')
      .set({ revokedAt: now })
      .where(isAnyLocked('id', open))
      .executeTakeFirst();
    const count = Number(ended.numUpdatedRows);
    const credentials = input.withCredentials
      ? { ...(await revokeCredentials(tx, ctx)), passkeysRemoved }
      : null;
    await recordAudits(tx, ctx, [
      {
        action: 'session.revoked_all',
        accountId,
        subject: { type: 'member', id: memberId },
        data: { count, ...credentials },
      },
    ]);
    return count;
  });
}

/**
 * Locks the person's passkeys, then their members, before the sessions: the order of a passkey verification and of an erasure. What is being
 * made in their name (`lockActor`) is waited for, and then ended too; a member of an account that is being erased makes nothing, and is not
 * waited for.
 */
async function lockDoors(tx: Transaction, ctx: Context<MemberActor>): Promise<void> {
  const personId = personOf(tx, ctx.actor);
  await tx
    .selectFrom('Passkey')
    .select('id')
    .where('personId', '=', personId)
    .orderBy('id')
    .forUpdate()
    .execute();
  await tx
    .selectFrom('Member')
    .select('id')
    .where('personId', '=', personId)
    .where('status', '<>', 'REMOVED')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** Deletes all of the person's passkeys; they can still sign in by a mailed code and add another. */
async function removePasskeys(tx: Transaction, ctx: Context<MemberActor>): Promise<number> {
  const own = tx
    .selectFrom('Passkey')
    .select('id')
    .where('personId', '=', personOf(tx, ctx.actor))
    .orderBy('id')
    .forUpdate();
  const removed = await tx
    .deleteFrom('Passkey')
    .where(isAnyLocked('id', own))
    .returning(['id', 'name'])
    .execute();
  const { accountId } = ctx.actor;
  await recordAudits(
    tx,
    ctx,
    removed.map(({ id, name }) => ({
      action: 'passkey.removed' as const,
      accountId,
      subject: { type: 'passkey' as const, id },
      data: { name },
    })),
  );
  return removed.length;
}

/**
 * Revokes the keys and applications of the person, withdraws their links and stops their event endpoints, in all their accounts, each told in
 * the audit of its own.
 */
async function revokeCredentials(tx: Transaction, ctx: Context<MemberActor>) {
  const now = ctx.clock.now();
  const members = await tx
    .selectFrom('Member')
    .select(['id', 'accountId', 'role'])
    .where('personId', '=', personOf(tx, ctx.actor))
    .orderBy('id')
    .execute();
  let [keysRevoked, applicationsRevoked, sharesWithdrawn, endpointsStopped] = [0, 0, 0, 0];
  for (const { id: memberId, accountId, role } of members) {
    const endpoints = await stopEndpoints(tx, { accountId, memberId, now });
    const shares = await tx
      .updateTable('ShareLink')
      .set({ withdrawnAt: now })
      .where(isAnyLocked('id', liveShares(tx, { accountId, memberId, now })))
      .returning(['id', 'assetId', 'spaceId', 'views'])
      .execute();
    const keys = await tx
      .updateTable('DeveloperKey')
      .set({ revokedAt: now })
      .where(isAnyLocked('id', liveKeys(tx, memberId)))
      .returning('id')
      .execute();
    const grants = await tx
      .updateTable('OAuthGrant')
      .from('OAuthClient')
      .set({ revokedAt: now, revokedBy: 'MEMBER' })
      .whereRef('OAuthClient.id', '=', 'OAuthGrant.clientId')
      .where(isAnyLocked('OAuthGrant.id', liveGrants(tx, memberId)))
      .returning(['OAuthGrant.id', 'OAuthClient.id as clientId', 'OAuthClient.name'])
      .execute();
    const actor: MemberActor = { ...ctx.actor, accountId, memberId, role, permissions: [], operator: false };
    await recordAudits(tx, { ...ctx, actor }, [
      ...keys.map(({ id }) => ({
        action: 'key.revoked' as const,
        accountId,
        subject: { type: 'developerKey' as const, id },
      })),
      ...grants.map(({ id, clientId, name }) => ({
        action: 'oauth.revoked' as const,
        accountId,
        subject: { type: 'oauthGrant' as const, id },
        data: { name, clientId, reason: 'MEMBER' },
      })),
      ...shares.map(({ id, assetId, spaceId, views }) => ({
        action: 'share.withdrawn' as const,
        accountId,
        subject: { type: 'shareLink' as const, id },
        data: {
          ...(assetId === null
            ? { kind: 'space' as const, spaceId: spaceId ?? '' }
            : { kind: 'file' as const, assetId }),
          views,
        },
      })),
      ...endpoints.map(({ id, url }) => ({
        action: 'webhook.disabled' as const,
        accountId,
        subject: { type: 'webhookEndpoint' as const, id },
        data: { host: new URL(url).host, reason: 'member' as const },
      })),
    ]);
    keysRevoked += keys.length;
    applicationsRevoked += grants.length;
    sharesWithdrawn += shares.length;
    endpointsStopped += endpoints.length;
  }
  return { keysRevoked, applicationsRevoked, sharesWithdrawn, endpointsStopped };
}

/** Stops a member's endpoints as the member could: waiting deliveries are dropped, and they can be resumed. */
async function stopEndpoints(tx: Transaction, member: { accountId: string; memberId: string; now: Date }) {
  const { now } = member;
  const stopped = await tx
    .updateTable('WebhookEndpoint')
    .set({ disabledAt: now, disabledReason: 'member', noticeDueAt: null, updatedAt: now })
    .where(isAnyLocked('id', liveEndpoints(tx, member)))
    .returning(['id', 'url'])
    .execute();
  if (stopped.length === 0) return stopped;
  const ids = stopped.map(({ id }) => id);
  await tx
    .updateTable('WebhookDelivery')
    .set({ state: 'FAILED', closedAt: now })
    .where(isAnyOf('endpointId', ids))
    .where('state', '=', 'PENDING')
    .execute();
  return stopped;
}

/** Ends every open session in which a member is the one chosen. Returns how many there were. */
export async function endSessions(tx: Transaction, input: { memberId: string; now: Date }): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('Session')
    .set({ revokedAt: input.now })
    .where(isAnyLocked('id', openSessions(tx, input.now).where('memberId', '=', input.memberId)))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Ends the very session of this browser, and tells the audit of the account that was chosen in it, as its member. Harmless when it has ended. */
export async function endOwnSession(ctx: Context<PersonActor>): Promise<void> {
  const { personId, sessionId } = ctx.actor;
  await transaction(ctx, async (tx) => {
    const ended = await tx
      .updateTable('Session')
      .set({ revokedAt: ctx.clock.now() })
      .where('id', '=', sessionId)
      .where('personId', '=', personId)
      .where('revokedAt', 'is', null)
      .returning(['accountId', 'memberId'])
      .executeTakeFirst();
    if (!ended) return;
    const { accountId, memberId } = ended;
    // The account's audit names members, not persons.
    const actor: Actor =
      accountId && memberId
        ? { type: 'member', sessionId, accountId, memberId, role: 'MEMBER', permissions: [], operator: false }
        : ctx.actor;
    await recordAudits(tx, { ...ctx, actor }, [
      { action: 'session.revoked', accountId, subject: { type: 'session', id: sessionId } },
    ]);
  });
}
