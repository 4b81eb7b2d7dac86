import { hasPermission } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { Micros } from '#lib/core/money.ts';
import type { GenerationKind } from '#lib/db/generated/prisma/client.ts';
import { daysOf, isMonth } from './month.ts';
import { readableMember } from './wallet.ts';

export type Spend = {
  /** UTC month, `2026-11`. */
  month: string;
  totalMicros: Micros;
  /** Every day of the month in order (`2026-11-01`), with what was debited that UTC day. */
  days: { day: string; micros: Micros }[];
  /** Kinds of which something was debited, the dearest first. */
  kinds: { kind: GenerationKind; micros: Micros; debits: number }[];
};

/** What a month's debits were for, by day and by kind. */
const SPEND = (scope: string) => `
  SELECT to_char(l."at" AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS "day", g."kind", -SUM(l."amountMicros")::bigint AS "micros",
    count(*)::int AS "debits"
  FROM "LedgerLine" l JOIN "Generation" g ON g."id" = l."generationId"
  WHERE ${scope} AND l."month" = $2 AND l."kind" = 'SETTLE' GROUP BY 1, 2`;
const OF_MEMBER = SPEND('l."walletId" = (SELECT "id" FROM "Wallet" WHERE "memberId" = $1)');
const OF_ACCOUNT = SPEND('l."accountId" = $1');

type Row = { day: string; kind: GenerationKind; micros: bigint; debits: number };

/**
 * What was debited in one UTC month, by day and by kind: of a member (one's own; any of the account for a founder), or of the
 * whole account when `memberId` is absent (founders; else `forbidden`).
 */
export async function readSpend(
  ctx: Context,
  input: { memberId?: string | undefined; month: string },
): Promise<Spend> {
  const { memberId, month } = input;
  if (!isMonth(month)) throw new ServiceError('not_found');
  const scope = memberId === undefined ? ownAccount(ctx) : (await readableMember(ctx, memberId)).memberId;
  const rows = await ctx.sql.rows<Row>(
    memberId === undefined ? 'ledger.spend.account' : 'ledger.spend.member',
    memberId === undefined ? OF_ACCOUNT : OF_MEMBER,
    [scope, month],
  );
  const days = new Map(daysOf(month).map((day) => [day, 0n]));
  const kinds = new Map<GenerationKind, { micros: Micros; debits: number }>();
  let totalMicros = 0n;
  for (const row of rows) {
    totalMicros += row.micros;
    days.set(row.day, (days.get(row.day) ?? 0n) + row.micros);
    const kind = kinds.get(row.kind) ?? { micros: 0n, debits: 0 };
    kinds.set(row.kind, { micros: kind.micros + row.micros, debits: kind.debits + row.debits });
  }
  return {
    month,
    totalMicros,
    days: [...days].map(([day, micros]) => ({ day, micros })),
    kinds: [...kinds]
      .map(([kind, sums]) => ({ kind, ...sums }))
      .sort((one, other) => Number(other.micros - one.micros) || one.kind.localeCompare(other.kind)),
  };
}

function ownAccount(ctx: Context): string {
  if (!('accountId' in ctx.actor) || !hasPermission(ctx.actor, 'ledger.grant'))
    throw new ServiceError('forbidden');
  return ctx.actor.accountId;
}
