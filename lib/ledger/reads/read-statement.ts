import { type Expression, type SqlBool, sql } from 'kysely';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { Micros } from '#lib/core/money.ts';
import type { DB } from '#lib/db/generated/tables.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { readableMember } from '../access.ts';
import { LINE_COLUMNS, linesOf, positionOf } from '../lines.ts';
import { isMonth } from '../month.ts';

export type StatementLine = {
  id: string;
  /** Its place among the wallet's lines, from 1 and without a gap. */
  position: number;
  kind: 'GRANT' | 'RESERVE' | 'SETTLE' | 'REFUND' | 'REST';
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

const sumOf = (which: Expression<SqlBool>) =>
  sql<bigint>`coalesce(sum(${sql.ref('line.amountMicros')}) filter (where ${which}), 0)::bigint`;

const sumLines = prepared('ledger.statement.totals', (db, p: Params<{ memberId: string; month: string }>) =>
  linesOf(db, p.memberId).select((eb) => {
    const inMonth = (...kinds: DB['LedgerLine']['kind'][]) =>
      eb.and([eb('line.month', '=', p.month), eb('line.kind', 'in', kinds)]);
    return [
      sumOf(eb('line.month', '<', p.month)).as('opening'),
      sumOf(inMonth('GRANT')).as('granted'),
      sql<bigint>`-${sumOf(inMonth('SETTLE', 'REST'))}`.as('settled'),
    ];
  }),
);

const findLines = prepared(
  'ledger.statement.lines',
  (db, p: Params<{ memberId: string; month: string; after: number; limit: number }>) =>
    linesOf(db, p.memberId)
      .select(LINE_COLUMNS)
      .where('line.month', '=', p.month)
      .where('line.position', '>', p.after)
      .orderBy('line.position')
      .limit(sql<number>`${p.limit}`),
);

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
  const totals = await sumLines.first(ctx.kysely, { memberId, month: input.month });
  const lines = await findLines.all(ctx.kysely, {
    memberId,
    month: input.month,
    after: positionOf(input.after) ?? 0,
    limit: limit + 1,
  });
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
    nextAfter: lines.length > limit ? String(page.at(-1)?.position) : null,
  };
}
