import { actorLabel } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { createId } from '#lib/core/ids.ts';
import type { Micros } from '#lib/core/money.ts';
import type { SqlTransaction } from '#lib/db/connection.ts';
import { utcMonth } from './month.ts';

/** What closing a reserve found: it wrote the line, or the reserve was closed already, or there never was one. */
export type CloseResult =
  | { found: 'open'; amountMicros: Micros; alert: SpendCrossing | null }
  | { found: 'closed'; kind: 'SETTLE' | 'REFUND'; amountMicros: Micros }
  | { found: 'missing' };

/** A settlement took the account's month over a multiple of the alert threshold; the row of the alert is written. */
export type SpendCrossing = { accountId: string; month: string; multiple: number; spentMicros: Micros };

type Row = {
  reserveId: string | null;
  closedKind: 'SETTLE' | 'REFUND' | null;
  closedAmountMicros: bigint | null;
  written: boolean;
  accountId: string | null;
  multiple: number | null;
  spentMicros: bigint | null;
};

// The line is refused by a unique index when another closer wrote one since this statement began; the transaction that
// lost rolls back, counters included.
const CLOSE = `
  WITH reserve AS (
    SELECT * FROM "LedgerLine" WHERE "generationId" = $1::text AND "kind" = 'RESERVE'),
  closed AS (
    SELECT "kind", "amountMicros" FROM "LedgerLine" WHERE "generationId" = $1::text AND "kind" IN ('SETTLE', 'REFUND')),
  wallet AS (
    UPDATE "Wallet" w SET
      "balanceMicros" = w."balanceMicros" - $3::bigint,
      "heldMicros" = w."heldMicros" - r."heldMicros",
      "monthSpentMicros" = CASE WHEN $2::text = 'REFUND' OR w."month" > $5::text THEN w."monthSpentMicros"
        WHEN w."month" = $5::text THEN w."monthSpentMicros" + $3::bigint ELSE $3::bigint END,
      "month" = CASE WHEN $2::text = 'REFUND' THEN w."month" ELSE GREATEST(w."month", $5::text) END,
      "updatedAt" = $6::timestamptz
    FROM reserve r WHERE w."id" = r."walletId" AND NOT EXISTS (SELECT 1 FROM closed)
    RETURNING w."id", w."accountId", w."memberId", w."balanceMicros", w."heldMicros", r."id" AS "reserveId", r."heldMicros" AS "releasedMicros"),
  line AS (
    INSERT INTO "LedgerLine" ("id", "accountId", "walletId", "memberId", "kind", "amountMicros", "heldMicros",
      "balanceAfterMicros", "heldAfterMicros", "generationId", "reserveId", "month", "at", "actor")
    SELECT $4::text, w."accountId", w."id", w."memberId", $2::"LedgerKind", -$3::bigint, -w."releasedMicros",
      w."balanceMicros", w."heldMicros", $1::text, w."reserveId", $5::text, $6::timestamptz, $7::text
    FROM wallet w RETURNING "accountId"),
  spend AS (
    INSERT INTO "SpendMonth" AS s ("accountId", "month", "spentMicros")
    SELECT "accountId", $5::text, $3::bigint FROM line WHERE $2::text = 'SETTLE'
    ON CONFLICT ("accountId", "month") DO UPDATE SET "spentMicros" = s."spentMicros" + EXCLUDED."spentMicros"
    RETURNING "accountId", "spentMicros"),
  alert AS (
    INSERT INTO "SpendAlert" ("accountId", "month", "multiple", "thresholdMicros", "spentMicros", "createdAt")
    SELECT "accountId", $5::text, ("spentMicros" / NULLIF($8::bigint, 0))::int, $8::bigint, "spentMicros", $6::timestamptz
    FROM spend WHERE $8::bigint > 0 AND "spentMicros" / NULLIF($8::bigint, 0) > ("spentMicros" - $3::bigint) / NULLIF($8::bigint, 0)
    ON CONFLICT DO NOTHING RETURNING "accountId", "multiple", "spentMicros")
  SELECT (SELECT "id" FROM reserve) AS "reserveId", (SELECT "kind" FROM closed) AS "closedKind",
    (SELECT "amountMicros" FROM closed) AS "closedAmountMicros", EXISTS (SELECT 1 FROM line) AS "written",
    alert."accountId", alert."multiple", alert."spentMicros"
  FROM (SELECT 1) one LEFT JOIN alert ON true`;

async function closeReserve(
  sql: SqlTransaction,
  ctx: Pick<Context, 'actor' | 'clock'>,
  input: { generationId: string; kind: 'SETTLE' | 'REFUND'; costMicros: Micros; spendAlertMicros: Micros },
): Promise<CloseResult> {
  const now = ctx.clock.now();
  const month = utcMonth(now);
  const [row] = await sql.rows<Row>('ledger.close', CLOSE, [
    input.generationId,
    input.kind,
    input.costMicros,
    createId('ledgerLine', now),
    month,
    now,
    actorLabel(ctx.actor),
    input.spendAlertMicros,
  ]);
  if (!row?.reserveId) return { found: 'missing' };
  if (row.closedKind !== null)
    return { found: 'closed', kind: row.closedKind, amountMicros: -(row.closedAmountMicros ?? 0n) };
  if (!row.written) throw new Error('the ledger line was not written');
  const alert =
    row.accountId === null
      ? null
      : { accountId: row.accountId, month, multiple: row.multiple ?? 0, spentMicros: row.spentMicros ?? 0n };
  return { found: 'open', amountMicros: input.costMicros, alert };
}

/**
 * Debits the measured cost and releases the reserve, in one statement. Never refused: the cost may exceed the reserve
 * and take the balance below zero. `amountMicros` of the answer is what was debited, by this call or by an earlier one.
 * Throws on a negative cost, and (unique index) when another transaction closes the same reserve at the same moment.
 */
export async function settle(
  sql: SqlTransaction,
  ctx: Pick<Context, 'actor' | 'clock'>,
  input: {
    generationId: string;
    costMicros: Micros;
    /** SERVICE_SPEND_ALERT_USD in micro-dollars; 0 or absent: no alert. */
    spendAlertMicros?: Micros;
  },
): Promise<CloseResult> {
  if (input.costMicros < 0n) throw new RangeError('a cost is not negative');
  return closeReserve(sql, ctx, {
    generationId: input.generationId,
    kind: 'SETTLE',
    costMicros: input.costMicros,
    spendAlertMicros: input.spendAlertMicros ?? 0n,
  });
}

/** Releases the reserve without a debit, in one statement. A settled reserve stays settled: the answer says so. */
export async function refund(
  sql: SqlTransaction,
  ctx: Pick<Context, 'actor' | 'clock'>,
  input: { generationId: string },
): Promise<CloseResult> {
  return closeReserve(sql, ctx, { ...input, kind: 'REFUND', costMicros: 0n, spendAlertMicros: 0n });
}
