import type { Transaction } from '#lib/db/types.ts';

/** A member's keys that are not revoked, in a fixed lock order, for verbs that revoke them all. */
export function liveKeys(tx: Transaction, memberId: string) {
  return tx
    .selectFrom('DeveloperKey')
    .select('id')
    .where('memberId', '=', memberId)
    .where('revokedAt', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate();
}

/** The same for the grants of applications: the oldest first, the order of verbs that end or change those of one application. */
export function liveGrants(tx: Transaction, memberId: string) {
  return tx
    .selectFrom('OAuthGrant')
    .select('id')
    .where('memberId', '=', memberId)
    .where('revokedAt', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .forNoKeyUpdate();
}

/** A member's active webhook endpoints, in the lock order of every verb that locks several. */
export function liveEndpoints(tx: Transaction, member: { accountId: string; memberId: string }) {
  return tx
    .selectFrom('WebhookEndpoint')
    .select('id')
    .where('accountId', '=', member.accountId)
    .where('createdById', '=', member.memberId)
    .where('disabledAt', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate();
}

/** A member's share links that still open, or would again: they work without a session. */
export function liveShares(tx: Transaction, member: { accountId: string; memberId: string; now: Date }) {
  return tx
    .selectFrom('ShareLink')
    .select('id')
    .where('accountId', '=', member.accountId)
    .where('createdById', '=', member.memberId)
    .where('withdrawnAt', 'is', null)
    .where('expiresAt', '>', member.now)
    .orderBy('id')
    .forNoKeyUpdate();
}
