import { type Expression, type SqlBool, sql } from 'kysely';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { Micros } from '#lib/core/money.ts';
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
  /** The wallet has lines of earlier months, whatever they come to. */
  hasEarlier: boolean;
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

// The last line before the month says what all lines before it come to: only the month's own are added up.
const sumLines = prepared('ledger.statement.totals', (db, p: Params<{ memberId: string; month: string }>) => {
  const lines = db
    .selectFrom('LedgerLine as line')
    .where('line.walletId', '=', (eb) =>
      eb.selectFrom('Wallet').select('id').where('memberId', '=', p.memberId),
    );
  const opening = lines
    .select('line.balanceAfterMicros')
    .where('line.month', '<', p.month)
    .orderBy('line.month', 'desc')
    .orderBy('line.position', 'desc')
    .limit(sql.lit(1));
  return lines
    .where('line.month', '=', p.month)
    .select((eb) => [
      sql<bigint | null>`${opening}`.as('opening'),
      sumOf(eb('line.kind', '=', 'GRANT')).as('granted'),
      sql<bigint>`-${sumOf(eb('line.kind', 'in', ['SETTLE', 'REST']))}`.as('settled'),
    ]);
});

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
export async function readStatement(ctx: Context, input: Asked): Promise<Statement> {
  const { month } = input;
  const memberId = await memberOf(ctx, input);
  const [totals, page] = await Promise.all([
    sumLines.first(ctx.kysely, { memberId, month }),
    pageOf(ctx, { ...input, memberId }),
  ]);
  const before = totals?.opening ?? null;
  const opening = before ?? 0n;
  const granted = totals?.granted ?? 0n;
  const settled = totals?.settled ?? 0n;
  return {
    ...page,
    openingMicros: opening,
    hasEarlier: before !== null,
    closingMicros: opening + granted - settled,
    grantedMicros: granted,
    settledMicros: settled,
  };
}

type Asked = { memberId: string; month: string; after?: string; limit?: number };
export type StatementPage = Pick<Statement, 'memberId' | 'month' | 'lines' | 'nextAfter'>;

/** The same without its totals, which add up the whole month: what reads page after page asks for none. Errors: the same. */
export async function readStatementLines(ctx: Context, input: Asked): Promise<StatementPage> {
  return pageOf(ctx, { ...input, memberId: await memberOf(ctx, input) });
}

async function memberOf(ctx: Context, input: Asked): Promise<string> {
  if (!isMonth(input.month))
    throw new ServiceError('invalid', {
      problems: [{ field: 'month', message: 'Le mois s’écrit AAAA-MM, par exemple 2026-11.' }],
    });
  return (await readableMember(ctx, input.memberId)).memberId;
}

async function pageOf(
  ctx: Context,
  { memberId, month, after, limit: asked = 100 }: Asked,
): Promise<StatementPage> {
  const limit = Math.min(Math.max(Math.trunc(asked), 1), MAX_LINES);
  const found = await findLines.all(ctx.kysely, {
    memberId,
    month,
    after: positionOf(after) ?? 0,
    limit: limit + 1,
  });
  const lines = found.slice(0, limit);
  const nextAfter = found.length > limit ? String(lines.at(-1)?.position) : null;
  return { memberId, month, lines, nextAfter };
}
