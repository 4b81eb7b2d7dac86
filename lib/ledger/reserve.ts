import { actorLabel } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { createId } from '#lib/core/ids.ts';
import type { Micros } from '#lib/core/money.ts';
import type { SqlTransaction } from '#lib/db/connection.ts';
import { utcMonth } from './month.ts';

export type ReserveInput = {
  accountId: string;
  memberId: string;
  generationId: string;
  /** More than zero. */
  amountMicros: Micros;
};

/** Why a reserve was refused: `balance`, or which of the two caps. */
export type ReserveRefusal =
  | { code: 'balance'; detail: 'balance'; availableMicros: Micros }
  | {
      code: 'cap';
      detail: 'per-generation' | 'monthly';
      capMicros: Micros;
      /** What the month already counts: settled plus held. */
      usedMicros: Micros;
    };

/**
 * The reserve as the head of one statement (`WITH …`): it claims the amount from the wallet by one conditional update,
 * writes the line, and leaves a row in `reserve_line` only when it did. Whatever hangs on it (`INSERT … SELECT … FROM
 * reserve_line`) exists if and only if the reserve does. Its parameters are $1 to $8, see `reserveParams`.
 */
export const RESERVE_CTES = `
  reserve_wallet AS (
    UPDATE "Wallet" w SET "heldMicros" = w."heldMicros" + $4::bigint, "updatedAt" = $7::timestamptz
    WHERE w."memberId" = $2::text AND w."accountId" = $1::text
      AND w."balanceMicros" - w."heldMicros" >= $4::bigint
      AND (w."perGenerationCapMicros" IS NULL OR $4::bigint <= w."perGenerationCapMicros")
      AND (w."monthlyCapMicros" IS NULL OR
        CASE WHEN w."month" >= $6::text THEN w."monthSpentMicros" ELSE 0 END + w."heldMicros" + $4::bigint <= w."monthlyCapMicros")
    RETURNING w."id", w."balanceMicros", w."heldMicros"),
  reserve_line AS (
    INSERT INTO "LedgerLine" ("id", "accountId", "walletId", "memberId", "kind", "amountMicros", "heldMicros",
      "balanceAfterMicros", "heldAfterMicros", "generationId", "month", "at", "actor")
    SELECT $5::text, $1::text, w."id", $2::text, 'RESERVE', 0, $4::bigint, w."balanceMicros", w."heldMicros",
      $3::text, $6::text, $7::timestamptz, $8::text
    FROM reserve_wallet w
    RETURNING "id", "heldMicros")`;

/** How many parameters RESERVE_CTES takes: what follows starts at the next number. */
export const RESERVE_PARAMS = 8;

/** The values of $1 to $8 of RESERVE_CTES. */
export function reserveParams(ctx: Pick<Context, 'actor' | 'clock'>, input: ReserveInput): unknown[] {
  const now = ctx.clock.now();
  return [
    input.accountId,
    input.memberId,
    input.generationId,
    input.amountMicros,
    createId('ledgerLine', now),
    utcMonth(now),
    now,
    actorLabel(ctx.actor),
  ];
}

/**
 * Why the wallet refuses this amount now. Reads only; call it after a reserve that took nothing. When another request
 * gave money back in between, the answer is `balance`: the refusal stands, it was true when it was made.
 */
export async function explainRefusal(
  sql: SqlTransaction,
  ctx: Pick<Context, 'clock'>,
  input: Pick<ReserveInput, 'accountId' | 'memberId' | 'amountMicros'>,
): Promise<ReserveRefusal> {
  const [wallet] = await sql.rows<{
    availableMicros: bigint;
    heldMicros: bigint;
    perGenerationCapMicros: bigint | null;
    monthlyCapMicros: bigint | null;
    monthUsedMicros: bigint;
  }>(
    'ledger.explain',
    `SELECT "balanceMicros" - "heldMicros" AS "availableMicros", "perGenerationCapMicros", "monthlyCapMicros",
       CASE WHEN "month" >= $3 THEN "monthSpentMicros" ELSE 0 END + "heldMicros" AS "monthUsedMicros"
     FROM "Wallet" WHERE "memberId" = $1 AND "accountId" = $2`,
    [input.memberId, input.accountId, utcMonth(ctx.clock.now())],
  );
  const none = {
    code: 'balance',
    detail: 'balance',
    availableMicros: wallet?.availableMicros ?? 0n,
  } as const;
  return (wallet && judgeReserve(wallet, input.amountMicros)) ?? none;
}

/** What a wallet says of an amount before anybody asks it: why it would refuse, or null. The rule of RESERVE_CTES, in words. */
export function judgeReserve(
  wallet: {
    availableMicros: Micros;
    perGenerationCapMicros: Micros | null;
    monthlyCapMicros: Micros | null;
    /** Settled in the month, plus held. */
    monthUsedMicros: Micros;
  },
  amountMicros: Micros,
): ReserveRefusal | null {
  const { perGenerationCapMicros, monthlyCapMicros, monthUsedMicros: usedMicros, availableMicros } = wallet;
  if (availableMicros < amountMicros) return { code: 'balance', detail: 'balance', availableMicros };
  if (perGenerationCapMicros !== null && amountMicros > perGenerationCapMicros)
    return { code: 'cap', detail: 'per-generation', capMicros: perGenerationCapMicros, usedMicros };
  if (monthlyCapMicros !== null && usedMicros + amountMicros > monthlyCapMicros)
    return { code: 'cap', detail: 'monthly', capMicros: monthlyCapMicros, usedMicros };
  return null;
}

/**
 * Holds an amount for a generation whose row already exists: one statement that checks the available balance and both
 * caps under the wallet's row. Returns the refusal instead of throwing. A second reserve for the same generation throws
 * (unique index).
 */
export async function reserve(
  sql: SqlTransaction,
  ctx: Pick<Context, 'actor' | 'clock'>,
  input: ReserveInput,
): Promise<{ held: true } | { held: false; refusal: ReserveRefusal }> {
  const rows = await sql.rows(
    'ledger.reserve',
    `WITH ${RESERVE_CTES} SELECT "id" FROM reserve_line`,
    reserveParams(ctx, input),
  );
  if (rows.length > 0) return { held: true };
  return { held: false, refusal: await explainRefusal(sql, ctx, input) };
}
