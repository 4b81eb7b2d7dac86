import { sql } from 'kysely';
import { ServiceError } from '#lib/core/errors.ts';
import type { Transaction } from '#lib/db/types.ts';

/** Usable keys of one member at the same time, including rotated ones that still overlap. */
export const LIVE_KEYS_PER_MEMBER = 20;

/**
 * Makes the keys of one member wait for each other until the transaction ends: what is counted then stays true. The member is the
 * one of `input`. Returns false when the account has no such member. Take it before any lock on a key.
 */
export async function lockMemberKeys(
  tx: Transaction,
  input: { accountId: string; memberId: string },
): Promise<boolean> {
  const member = await tx
    .selectFrom('Member')
    .select('id')
    .where('id', '=', input.memberId)
    .where('accountId', '=', input.accountId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return member !== undefined;
}

/** Errors: `conflict` (`too-many-keys`) when the member, whose keys are locked, has as many living ones as may be. */
export async function enforceKeyLimit(
  tx: Transaction,
  input: { memberId: string; now: Date },
): Promise<void> {
  const { living } = await tx
    .selectFrom('DeveloperKey')
    .select(sql<number>`count(*)::int`.as('living'))
    .where('memberId', '=', input.memberId)
    .where('revokedAt', 'is', null)
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', input.now)]))
    .executeTakeFirstOrThrow();
  if (living < LIVE_KEYS_PER_MEMBER) return;
  throw new ServiceError('conflict', {
    detail: 'too-many-keys',
    message:
      `Un membre a ${LIVE_KEYS_PER_MEMBER} clés actives au plus, celles qui viennent d’être remplacées comprises. ` +
      'Révoquez-en une, ou remplacez-la sans période commune, puis recommencez.',
  });
}
