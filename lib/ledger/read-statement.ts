import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { Micros } from '#lib/core/money.ts';
import { isMonth } from './month.ts';
import { readableMember } from './wallet.ts';

export type StatementLine = {
  id: string;
  kind: 'GRANT' | 'RESERVE' | 'SETTLE' | 'REFUND';
  at: Date;
  amountMicros: Micros;
  heldMicros: Micros;
  balanceAfterMicros: Micros;
  heldAfterMicros: Micros;
  generationId: string | null;
  actor: string;
  note: string | null;
};

export type Statement = {
  memberId: string;
  /** UTC month, `2026-11`. */
  month: string;
  /** Sum of every line of earlier months. */
  openingMicros: Micros;
  /** Opening plus the month's lines. */
  closingMicros: Micros;
  grantedMicros: Micros;
  /** Positive: what was debited. */
  settledMicros: Micros;
  /** Oldest first; at most `limit`, continue with `after`. */
  lines: StatementLine[];
  nextAfter: string | null;
};

const MAX_LINES = 500;

/**
 * A member's ledger for one UTC month: totals over the whole month, lines by pages of at most 500 in the order in which
 * they were written. One's own, or any member's of the account for a founder; a stranger answers `not_found`.
 */
export async function readStatement(
  ctx: Context,
  input: { memberId: string; month: string; after?: string; limit?: number },
): Promise<Statement> {
  if (!isMonth(input.month))
    throw new ServiceError('invalid', {
      problems: [{ field: 'month', message: 'Le mois s’écrit AAAA-MM, par exemple 2026-11.' }],
    });
  const { memberId } = await readableMember(ctx, input.memberId);
  const limit = Math.min(Math.max(Math.trunc(input.limit ?? 100), 1), MAX_LINES);
  const [totals] = await ctx.sql.rows<{ opening: bigint; granted: bigint; settled: bigint }>(
    'ledger.statement.totals',
    `SELECT COALESCE(SUM("amountMicros") FILTER (WHERE l."month" < $2), 0)::bigint AS "opening",
       COALESCE(SUM("amountMicros") FILTER (WHERE l."month" = $2 AND l."kind" = 'GRANT'), 0)::bigint AS "granted",
       COALESCE(-SUM("amountMicros") FILTER (WHERE l."month" = $2 AND l."kind" = 'SETTLE'), 0)::bigint AS "settled"
     FROM "LedgerLine" l JOIN "Wallet" w ON w."id" = l."walletId" WHERE w."memberId" = $1`,
    [memberId, input.month],
  );
  const lines = await ctx.sql.rows<StatementLine>(
    'ledger.statement.lines',
    `SELECT l."id", l."kind", l."at", l."amountMicros", l."heldMicros", l."balanceAfterMicros", l."heldAfterMicros",
       l."generationId", l."actor", l."note"
     FROM "LedgerLine" l JOIN "Wallet" w ON w."id" = l."walletId"
     WHERE w."memberId" = $1 AND l."month" = $2 AND l."id" > $3 ORDER BY l."id" LIMIT $4`,
    [memberId, input.month, input.after ?? '', limit + 1],
  );
  const page = lines.slice(0, limit);
  const opening = totals?.opening ?? 0n;
  const granted = totals?.granted ?? 0n;
  const settled = totals?.settled ?? 0n;
  return {
    memberId,
    month: input.month,
    openingMicros: opening,
    closingMicros: opening + granted - settled,
    grantedMicros: granted,
    settledMicros: settled,
    lines: page,
    nextAfter: lines.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}
