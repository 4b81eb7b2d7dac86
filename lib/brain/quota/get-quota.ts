import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { type AccountRead, accountStatement, runAccountRead } from '#lib/db/account-read.ts';
import type { Params } from '#lib/db/prepared.ts';
import { utcMonth } from '#lib/ledger/month.ts';
import { readLimit } from './consume-read.ts';
import { nextMonth } from './read-quota.ts';

type Row = { limit: number; used: number; activated: boolean };

const readMonth = accountStatement({
  name: 'get-quota',
  with: (db, p: Params<{ month: string }>) =>
    db.with('answered', (one) =>
      one
        .selectFrom('Account as a')
        .innerJoin('caller', 'caller.accountId', 'a.id')
        .leftJoin('ReadMonth as r', (join) =>
          join.onRef('r.accountId', '=', 'a.id').on('r.month', '=', p.month),
        )
        .select((eb) => [
          readLimit(eb).as('limit'),
          eb.fn.coalesce('r.used', eb.lit(0)).as('used'),
          eb('a.capacityCu', '>', eb.lit(0)).$castTo<boolean>().as('activated'),
        ]),
    ),
  rows: (db) => db.selectFrom('answered').selectAll(),
});

/** The read of an account's month, without consuming it (B-44 to B-49). */
export function quotaRead(now: Date): AccountRead<ReturnType<typeof viewQuota>> {
  return readMonth({ month: utcMonth(now) }, ([row]) => viewQuota(row, now));
}

/** `quotaRead`, for the actor's account. */
export function getQuota(ctx: Context<AccountActor>) {
  return runAccountRead(ctx, quotaRead(ctx.clock.now()));
}

function viewQuota(row: Row | undefined, now: Date) {
  const { limit, used, activated } = row ?? { limit: 0, used: 0, activated: false };
  return {
    object: 'quota' as const,
    limit,
    used,
    remaining: Math.max(0, limit - used),
    resetsAt: nextMonth(now).toISOString(),
    activated,
  };
}
