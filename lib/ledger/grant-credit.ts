import { actorLabel } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { MICROS_PER_USD, type Micros } from '#lib/core/money.ts';
import { utcMonth } from './month.ts';
import { memberInReach, openWallet, requireGrant } from './wallet.ts';

/** The largest single grant: a typing error, not a limit of the arithmetic. */
const MAX_GRANT_MICROS = 1_000_000n * MICROS_PER_USD;
const MAX_NOTE = 200;

/** Gives a member credit, opening the wallet when there is none. Founders and the shell; audited `ledger.granted`. */
export async function grantCredit(
  ctx: Context,
  input: { memberId: string; amountMicros: Micros; note?: string },
): Promise<{ lineId: string; balanceMicros: Micros }> {
  requireGrant(ctx);
  const note = input.note?.trim() || null;
  const problems = [];
  if (input.amountMicros <= 0n || input.amountMicros > MAX_GRANT_MICROS)
    problems.push({ field: 'amountUsd', message: 'Le crédit doit être compris entre 0 et 1 000 000 $US.' });
  if (note && note.length > MAX_NOTE)
    problems.push({ field: 'note', message: `La note compte au plus ${MAX_NOTE} caractères.` });
  if (problems.length > 0) throw new ServiceError('invalid', { problems });

  const member = await memberInReach(ctx, input.memberId);
  const now = ctx.clock.now();
  const lineId = createId('ledgerLine', now);
  const balanceMicros = await ctx.sql.transaction(async (tx) => {
    await openWallet(tx, ctx, member);
    const [line] = await tx.rows<{ balanceAfterMicros: bigint }>(
      'ledger.grant',
      `WITH wallet AS (
         UPDATE "Wallet" SET "balanceMicros" = "balanceMicros" + $3::bigint, "updatedAt" = $4
         WHERE "memberId" = $1 RETURNING *)
       INSERT INTO "LedgerLine" ("id", "accountId", "walletId", "memberId", "kind", "amountMicros", "heldMicros",
         "balanceAfterMicros", "heldAfterMicros", "month", "at", "actor", "note")
       SELECT $2, "accountId", "id", "memberId", 'GRANT', $3::bigint, 0, "balanceMicros", "heldMicros", $5, $4, $6, $7
       FROM wallet RETURNING "balanceAfterMicros"`,
      [member.memberId, lineId, input.amountMicros, now, utcMonth(now), actorLabel(ctx.actor), note],
    );
    await recordAudits(tx, ctx, [
      {
        action: 'ledger.granted',
        accountId: member.accountId,
        subject: { type: 'member', id: member.memberId },
        data: { lineId, amountMicros: input.amountMicros.toString() },
      },
    ]);
    return line?.balanceAfterMicros ?? 0n;
  });
  return { lineId, balanceMicros };
}
