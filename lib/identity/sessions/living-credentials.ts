import type { Transaction } from '#lib/db/types.ts';

/** A member's keys that are not revoked, locked one after the other, for whoever revokes them all. */
export function livingKeys(tx: Transaction, memberId: string) {
  return tx
    .selectFrom('DeveloperKey')
    .select('id')
    .where('memberId', '=', memberId)
    .where('revokedAt', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate();
}

/** The same for the connections of applications: the oldest first, as by whoever ends or changes those of one application. */
export function livingGrants(tx: Transaction, memberId: string) {
  return tx
    .selectFrom('OAuthGrant')
    .select('id')
    .where('memberId', '=', memberId)
    .where('revokedAt', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .forNoKeyUpdate();
}

/** The addresses that a member subscribed to events and that are still sent to, in the order of whoever else takes several. */
export function livingEndpoints(tx: Transaction, member: { accountId: string; memberId: string }) {
  return tx
    .selectFrom('WebhookEndpoint')
    .select('id')
    .where('accountId', '=', member.accountId)
    .where('createdById', '=', member.memberId)
    .where('disabledAt', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate();
}

/** The links that a member made and that still open, or would again: nobody needs a session for those. */
export function livingShares(tx: Transaction, member: { accountId: string; memberId: string; now: Date }) {
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
