import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { type AccountRead, accountStatement, runAccountRead } from '#lib/db/account-read.ts';
import type { Params } from '#lib/db/prepared.ts';
import { isReached } from '#lib/db/space-rights.ts';
import { consumeRead, type ReadPeriod, readLimit } from '../quota/consume-read.ts';
import { quotaExceeded, readPeriodOf } from '../quota/read-quota.ts';
import { type SpaceTemplate, TEMPLATES } from '../templates.ts';

const readSpaces = accountStatement({
  name: 'list-spaces',
  with: (db, p: Params<ReadPeriod>) =>
    consumeRead(
      db.with('reader', (one) =>
        one
          .selectFrom('Account as a')
          .innerJoin('caller', 'caller.accountId', 'a.id')
          .select((eb) => [
            'a.id as accountId',
            'caller.spaces',
            'a.usedCu',
            'a.capacityCu',
            readLimit(eb).as('readLimit'),
          ]),
      ),
      p,
    ),
  rows: (db) =>
    db
      .selectFrom('reader')
      .leftJoin('consumed', 'consumed.accountId', 'reader.accountId')
      .leftJoin('Space as s', (join) =>
        join
          // Without the read, no Space.
          .onRef('s.accountId', '=', 'consumed.accountId')
          .on('s.archivedAt', 'is', null)
          .on((eb) => isReached(eb.ref('reader.spaces'), eb.ref('s.id'))),
      )
      .select((eb) => [
        eb('consumed.accountId', 'is not', null).$castTo<boolean>().as('granted'),
        'reader.readLimit',
        'reader.usedCu',
        'reader.capacityCu',
        's.id',
        's.name',
        's.template',
        's.memories',
        's.cu',
        's.createdAt',
      ]),
  orderBy: ['createdAt', 'id'],
});

type Row = { granted: boolean; readLimit: number; usedCu: number; capacityCu: number } & (
  | { id: null }
  | { id: string; name: string; template: SpaceTemplate; memories: number; cu: number }
);

/** The read of every Space within reach of an account, oldest first, with its capacity; consumes one read. Errors: `quota_exceeded`. */
export function spacesRead(now: Date): AccountRead<ReturnType<typeof viewList>> {
  return readSpaces(readPeriodOf(now), (rows) => viewList(rows as readonly Row[], now));
}

/** `spacesRead`, for the actor's account. */
export function listSpaces(ctx: Context<AccountActor>) {
  return runAccountRead(ctx, spacesRead(ctx.clock.now()));
}

function viewList(rows: readonly Row[], now: Date) {
  const [first] = rows;
  if (!first?.granted) throw quotaExceeded(now, first?.readLimit ?? 0);
  return {
    object: 'list' as const,
    data: rows.flatMap((row) =>
      row.id === null
        ? []
        : [
            {
              object: 'space' as const,
              id: row.id,
              name: row.name,
              template: row.template,
              templateLabel: TEMPLATES[row.template].label,
              memories: row.memories,
              cu: row.cu,
            },
          ],
    ),
    capacity: { usedCu: first.usedCu, capacityCu: first.capacityCu },
  };
}
