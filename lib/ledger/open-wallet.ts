import type { Context } from '#lib/core/context.ts';
import { createId } from '#lib/core/ids.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import type { Executor } from '#lib/db/types.ts';
import type { Member } from './access.ts';
import { utcMonth } from './month.ts';

const insertBudget = prepared('ledger.open_budget', (db, p: Params<{ accountId: string }>) =>
  db
    .insertInto('Budget')
    .values({ accountId: p.accountId })
    .onConflict((conflict) => conflict.column('accountId').doNothing()),
);

/** Makes sure that an account has a budget: nothing given, no ceiling. Idempotent; every wallet needs it. */
export async function openBudget(on: Executor, input: { accountId: string }): Promise<void> {
  await insertBudget.run(on, input);
}

const insertWallet = prepared(
  'ledger.open',
  (db, p: Params<Member & { id: string; month: string; at: Date }>) =>
    db
      .insertInto('Wallet')
      .values({
        id: p.id,
        accountId: p.accountId,
        memberId: p.memberId,
        month: p.month,
        createdAt: p.at,
        updatedAt: p.at,
      })
      .onConflict((conflict) => conflict.column('memberId').doNothing()),
);

/** Makes sure that a member has a wallet, and the account its budget: empty, without caps. Idempotent; for the transaction that gives the member credit or caps. */
export async function openWallet(on: Executor, ctx: Pick<Context, 'clock'>, member: Member): Promise<void> {
  const at = ctx.clock.now();
  await openBudget(on, member);
  await insertWallet.run(on, { ...member, id: createId('wallet', at), month: utcMonth(at), at });
}
