import type { Actor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { Shown } from '#lib/core/input/shown-as.ts';
import type { Micros } from '#lib/core/money.ts';
import { transaction } from '#lib/db/transaction.ts';
import { setCredentialCap } from '#lib/ledger/allowances.ts';
import { isKeyInReach } from './key-reach.ts';

/**
 * Sets the monthly cap (UTC) of a key that may generate, shared with the key that replaces it: one's own key, or any of the account for a
 * founder. A cap below what is spent refuses the next request and stops no running generation. Audited `key.cap_set`. Errors: `not_found`
 * (also a key without a cap), `invalid_request`, `conflict` when it is no longer as `shown`, `verification_required` when it is raised.
 */
export async function setKeyCap(
  ctx: Context<Actor>,
  input: { accountId: string; keyId: string; monthlyCapMicros: Micros; shown?: Shown | undefined },
): Promise<void> {
  const { accountId, keyId, monthlyCapMicros, shown } = input;
  await transaction(ctx, async (tx) => {
    const key = await tx
      .selectFrom('DeveloperKey')
      .select(['name', 'allowanceId'])
      .where('id', '=', keyId)
      .where('accountId', '=', accountId)
      .where(isKeyInReach(ctx.actor))
      .executeTakeFirst();
    if (!key?.allowanceId) throw new ServiceError('not_found', { message: 'Cette clé est introuvable.' });
    await setCredentialCap(tx, ctx, { allowanceId: key.allowanceId, accountId, monthlyCapMicros, shown });
    await recordAudits(tx, ctx, [
      {
        action: 'key.cap_set',
        accountId,
        subject: { type: 'developerKey', id: keyId },
        data: { name: key.name, monthlyCapMicros: monthlyCapMicros.toString() },
      },
    ]);
  });
}
