import { sql } from 'kysely';
import { hasPermission } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { Micros } from '#lib/core/money.ts';
import type { GenerationKind } from '#lib/db/generated/prisma/client.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { countRows } from '#lib/db/values.ts';
import { readableMember } from '../access.ts';
import { daysOf, isMonth } from '../month.ts';

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
const spendOf = (scope: 'member' | 'account') =>
  prepared(`ledger.spend.${scope}`, (db, p: Params<{ of: string; month: string }>) => {
    const spend = db
      .selectFrom('LedgerLine as line')
      .innerJoin('Generation as generation', 'generation.id', 'line.generationId')
      .select([
        sql<string>`to_char(${sql.ref('line.at')} at time zone 'UTC', 'YYYY-MM-DD')`.as('day'),
        'generation.kind',
        sql<bigint>`-sum(${sql.ref('line.amountMicros')})::bigint`.as('micros'),
        countRows.as('debits'),
      ])
      .where('line.month', '=', p.month)
      .where('line.kind', 'in', ['SETTLE', 'REST'])
      .groupBy(['day', 'generation.kind']);
    return scope === 'account'
      ? spend.where('line.accountId', '=', p.of)
      : spend.where('line.walletId', '=', (eb) =>
          eb.selectFrom('Wallet').select('id').where('memberId', '=', p.of),
        );
  });
const spendOfMember = spendOf('member');
const spendOfAccount = spendOf('account');

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
  const rows = await (memberId === undefined ? spendOfAccount : spendOfMember).all(ctx.kysely, {
    of: scope,
    month,
  });
  const ofMonth = daysOf(month);
  const days = new Map(ofMonth.map((day) => [day, 0n]));
  const kinds = new Map<GenerationKind, { micros: Micros; debits: number }>();
  let totalMicros = 0n;
  for (const row of rows) {
    totalMicros += row.micros;
    // A line never goes back to a month that is over, whatever the clock of who wrote it said: it is of the first day then.
    const day = days.has(row.day) ? row.day : (ofMonth[0] ?? row.day);
    days.set(day, (days.get(day) ?? 0n) + row.micros);
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
