import { sql } from 'kysely';
import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { Micros } from '#lib/core/money.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { countRows, isBeyond } from '#lib/db/values.ts';
import { requireOperator } from '#lib/ledger/access.ts';
import { spentIn } from '#lib/ledger/lines.ts';
import { utcMonth } from '#lib/ledger/month.ts';

export type OperatedAccount = {
  accountId: string;
  name: string;
  isOperator: boolean;
  createdAt: Date;
  /** Active members. */
  members: number;
  /** Given and not yet shared out. */
  balanceMicros: Micros;
  heldMicros: Micros;
  monthSpentMicros: Micros;
  monthlyCeilingMicros: Micros | null;
  /** A founder asked for more since the account was last given any. */
  asksSince: Date | null;
  /** Its own storage quota; null: everybody's. */
  quotaBytes: bigint | null;
  closedAt: Date | null;
  /** Its erasure began: nothing opens it again. */
  erasingAt: Date | null;
};

const findAccounts = prepared(
  'operations.accounts',
  (db, p: Params<{ month: string; after: string | null; limit: number }>) =>
    db
      .selectFrom('Account as account')
      .leftJoin('Budget as budget', 'budget.accountId', 'account.id')
      .leftJoin('StorageQuota as quota', 'quota.accountId', 'account.id')
      .select((eb) => [
        'account.id as accountId',
        'account.name',
        'account.isOperator',
        'account.createdAt',
        sql<number>`${eb
          .selectFrom('Member')
          .select(countRows.as('members'))
          .whereRef('Member.accountId', '=', 'account.id')
          .where('Member.status', '=', 'ACTIVE')}`.as('members'),
        sql<bigint>`coalesce(${eb.ref('budget.balanceMicros')}, 0)`.as('balanceMicros'),
        sql<bigint>`coalesce(${eb.ref('budget.heldMicros')}, 0)`.as('heldMicros'),
        sql<bigint>`coalesce(${spentIn(p.month, 'budget')}, 0)`.as('monthSpentMicros'),
        'budget.monthlyCeilingMicros',
        sql<Date | null>`case when not exists (${eb
          .selectFrom('BudgetLine as line')
          .select('line.id')
          .whereRef('line.accountId', '=', 'account.id')
          .where('line.kind', '=', 'GIVEN')
          .whereRef('line.at', '>=', 'budget.askedAt')}) then ${eb.ref('budget.askedAt')} end`.as(
          'asksSince',
        ),
        'quota.bytes as quotaBytes',
        'account.closedAt',
        'account.erasingAt',
      ])
      .where(isBeyond('>', 'Account', ['account.createdAt', 'account.id'], p.after))
      .orderBy('account.createdAt')
      .orderBy('account.id')
      .limit(sql<number>`${p.limit}`),
);

/** Every account of the service in the order in which they were made, by keyset, with what each was given. The operator's founders. */
export async function listAccounts(
  ctx: Context<AccountActor>,
  input: { after?: string | undefined; limit?: number } = {},
): Promise<{ accounts: OperatedAccount[]; total: number; nextAfter: string | null }> {
  requireOperator(ctx);
  const limit = input.limit ?? 50;
  const month = utcMonth(ctx.clock.now());
  const [total, rows] = await Promise.all([
    ctx.db.account.count(),
    findAccounts.all(ctx.kysely, { month, after: input.after ?? null, limit: limit + 1 }),
  ]);
  const accounts = rows.slice(0, limit);
  const nextAfter = rows.length > limit ? (accounts.at(-1)?.accountId ?? null) : null;
  return { accounts, total, nextAfter };
}
