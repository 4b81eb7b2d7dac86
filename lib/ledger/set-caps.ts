import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { requireAsShown } from '#lib/core/input/as-shown.ts';
import type { Shown } from '#lib/core/input/shown-as.ts';
import type { Micros } from '#lib/core/money.ts';
import { requireRecentVerification } from '#lib/core/recent-verification.ts';
import { transaction } from '#lib/db/transaction.ts';
import { memberInReach, requireGrant } from './access.ts';
import { isRaised } from './caps.ts';
import { openWallet } from './open-wallet.ts';

/**
 * Sets a member's two caps (null: none); what is not given stays. Founders and the shell, else `forbidden`. Other errors: `invalid` for a
 * negative one, `not_found`, `conflict` when what changes is no longer as `shown` (by the form's names), `verification_required` when one is
 * raised. Audited `ledger.caps_set`.
 */
export async function setCaps(
  ctx: Context,
  input: {
    memberId: string;
    perGenerationCapMicros?: Micros | null;
    monthlyCapMicros?: Micros | null;
    shown?: Shown | undefined;
  },
): Promise<void> {
  requireGrant(ctx);
  const { perGenerationCapMicros, monthlyCapMicros } = input;
  const problems = (['perGenerationCapMicros', 'monthlyCapMicros'] as const)
    .filter((field) => (input[field] ?? 0n) < 0n)
    .map((field) => ({ field, message: 'Un plafond ne peut pas être négatif.' }));
  if (problems.length > 0) throw new ServiceError('invalid', { problems });
  const member = await memberInReach(ctx, input.memberId);
  await transaction(ctx, async (tx) => {
    await openWallet(tx, ctx, member);
    const before = await tx
      .selectFrom('Wallet')
      .select(['perGenerationCapMicros', 'monthlyCapMicros'])
      .where('memberId', '=', member.memberId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    const what = 'Ce plafond a été changé';
    requireAsShown(input.shown, {
      perGenerationUsd: { what, now: before.perGenerationCapMicros, next: perGenerationCapMicros },
      monthlyUsd: { what, now: before.monthlyCapMicros, next: monthlyCapMicros },
    });
    if (
      isRaised(before.perGenerationCapMicros, perGenerationCapMicros) ||
      isRaised(before.monthlyCapMicros, monthlyCapMicros)
    )
      requireRecentVerification(ctx);
    await tx
      .updateTable('Wallet')
      .set({
        updatedAt: ctx.clock.now(),
        ...(perGenerationCapMicros === undefined ? {} : { perGenerationCapMicros }),
        ...(monthlyCapMicros === undefined ? {} : { monthlyCapMicros }),
      })
      .where('memberId', '=', member.memberId)
      .execute();
    await recordAudits(tx, ctx, [
      {
        action: 'ledger.caps_set',
        accountId: member.accountId,
        subject: { type: 'member', id: member.memberId },
        // What was not given stays: null would say that its cap was taken away.
        data: {
          ...(perGenerationCapMicros === undefined
            ? {}
            : { perGenerationCapMicros: perGenerationCapMicros?.toString() ?? null }),
          ...(monthlyCapMicros === undefined
            ? {}
            : { monthlyCapMicros: monthlyCapMicros?.toString() ?? null }),
        },
      },
    ]);
  });
}
