import { sql } from 'kysely';
import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { Micros } from '#lib/core/money.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { requireGrant } from '../access.ts';
import { spentIn } from '../lines.ts';
import { utcMonth } from '../month.ts';

export type Budget = {
  /** Given to the account and not yet shared out. */
  balanceMicros: Micros;
  /** What the open reserves of all members hold. */
  heldMicros: Micros;
  /** Settled by all members in the current UTC month. */
  monthSpentMicros: Micros;
  /** Set by the operator; null: none. */
  monthlyCeilingMicros: Micros | null;
  /** When one of the founders last asked for more. */
  askedAt: Date | null;
};

const findBudget = prepared('ledger.budget', (db, p: Params<{ accountId: string; month: string }>) =>
  db
    .selectFrom('Budget as budget')
    .select([
      'balanceMicros',
      'heldMicros',
      spentIn(p.month, 'budget').as('monthSpentMicros'),
      'monthlyCeilingMicros',
      sql<Date | null>`"askedAt"`.as('askedAt'),
    ])
    .where('accountId', '=', p.accountId),
);

/** What the account was given and may spend this month. Founders; else `forbidden`. */
export async function readBudget(ctx: Context<AccountActor>): Promise<Budget> {
  requireGrant(ctx);
  const month = utcMonth(ctx.clock.now());
  const found = await findBudget.first(ctx.kysely, { accountId: ctx.actor.accountId, month });
  const none = { balanceMicros: 0n, heldMicros: 0n, monthSpentMicros: 0n };
  return found ?? { ...none, monthlyCeilingMicros: null, askedAt: null };
}
