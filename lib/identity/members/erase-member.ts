import { sql } from 'kysely';
import { recordAudits } from '#lib/core/audit.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { requireRecentVerification } from '#lib/core/recent-verification.ts';
import { transaction } from '#lib/db/transaction.ts';
import type { Transaction } from '#lib/db/types.ts';
import { requireErasureRights } from '../closing/require-erasure-rights.ts';
import { lockMemberKeys } from '../keys/key-limit.ts';
import { erasePerson } from '../people/erase-person.ts';
import { type Ctx, LAST_FOUNDER, lockMembers, type Target } from './update-member.ts';

/** The name shown for an erased member. */
export const ERASED_NAME = 'Membre effacé';

/**
 * Erases a member's personal data: name, address, keys and applications are deleted, sessions in this account end; what they made stays under
 * a neutral name. When the person belongs to no other account, sessions, browsers, codes and passkeys are deleted too. The audit records the
 * erasure. Of a removed member, only the remaining name is erased here; the person is left to `eraseOrphanPersons`. Errors: `forbidden`,
 * `not_found`, `conflict` for oneself or the last active founder.
 */
export async function eraseMember(ctx: Ctx, input: Target): Promise<{ personErased: boolean }> {
  await requireErasureRights(ctx, input);
  requireRecentVerification(ctx);
  if ('memberId' in ctx.actor && ctx.actor.memberId === input.memberId)
    throw new ServiceError('conflict', {
      message: 'Vous ne pouvez pas vous effacer vous-même\u00a0: demandez-le à un autre fondateur.',
    });
  const now = ctx.clock.now();
  return transaction(ctx, async (tx) => {
    const { member, isLastFounder } = await lockMembers(tx, ctx, input, { removed: true });
    if (isLastFounder) throw new ServiceError('conflict', { message: LAST_FOUNDER });
    await lockWhatGoes(tx, { ...input, personId: member.personId });
    const keys = await tx.deleteFrom('DeveloperKey').where('memberId', '=', member.id).executeTakeFirst();
    const grants = await tx.deleteFrom('OAuthGrant').where('memberId', '=', member.id).executeTakeFirst();
    await tx.deleteFrom('CredentialAllowance').where('memberId', '=', member.id).execute();
    await tx.deleteFrom('SavedFilter').where('memberId', '=', member.id).execute();
    await tx
      .updateTable('Member')
      .set({
        name: ERASED_NAME,
        status: 'REMOVED',
        permissions: [],
        personId: null,
        email: null,
        invitationEndsAt: null,
        lastSeenAt: null,
        updatedAt: now,
      })
      .where('id', '=', member.id)
      .execute();
    await tx
      .updateTable('Session')
      .set({
        memberId: null,
        accountId: null,
        revokedAt: sql<Date>`coalesce("revokedAt", ${now}::timestamptz)`,
      })
      .where('memberId', '=', member.id)
      .execute();
    const personErased = member.personId !== null && (await erasePerson(tx, member.personId));
    await recordAudits(tx, ctx, [
      {
        action: 'member.erased',
        accountId: input.accountId,
        subject: { type: 'member', id: member.id },
        data: {
          keys: Number(keys.numDeletedRows),
          applications: Number(grants.numDeletedRows),
          personErased,
        },
      },
    ]);
    return { personErased };
  });
}

/**
 * Locks the rows about to be deleted, in the same order as concurrent transactions: proofs (signing in), the member (rotating a key,
 * visiting), sessions and then keys (ending everything), and an application's codes and tokens before its grants (refreshing).
 */
async function lockWhatGoes(
  tx: Transaction,
  { accountId, memberId, personId }: Target & { personId: string | null },
): Promise<void> {
  if (personId !== null) {
    await tx
      .selectFrom('SignInCode')
      .select('id')
      .where('email', '=', (eb) => eb.selectFrom('Person').select('email').where('id', '=', personId))
      .orderBy('id')
      .forUpdate()
      .execute();
    await tx
      .selectFrom('Passkey')
      .select('id')
      .where('personId', '=', personId)
      .orderBy('id')
      .forUpdate()
      .execute();
  }
  await lockMemberKeys(tx, { accountId, memberId });
  for (const table of ['Session', 'DeveloperKey'] as const)
    await tx
      .selectFrom(table)
      .select('id')
      .where('memberId', '=', memberId)
      .orderBy('id')
      .forUpdate()
      .execute();
  const grants = tx.selectFrom('OAuthGrant').select('id').where('memberId', '=', memberId);
  for (const table of ['OAuthCode', 'OAuthToken'] as const)
    await tx
      .selectFrom(table)
      .select('id')
      .where('grantId', 'in', grants)
      .orderBy('id')
      .forUpdate()
      .execute();
  await tx
    .selectFrom('OAuthGrant')
    .select('id')
    .where('memberId', '=', memberId)
    .orderBy('createdAt')
    .orderBy('id')
    .forUpdate()
    .execute();
}
