import type { ExpressionBuilder } from 'kysely';
import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { type AccountRead, accountStatement, runAccountRead } from '#lib/db/account-read.ts';
import type { Params } from '#lib/db/prepared.ts';
import { isReached } from '#lib/db/space-rights.ts';
import type { DB } from '#lib/db/types.ts';
import type { MemoryFile } from '../memory-file.ts';
import { childrenOf, parentOf, shownChildren } from '../neighbours.ts';
import { memoryNotFound } from '../not-found.ts';
import { consumeRead, type ReadPeriod, readLimit } from '../quota/consume-read.ts';
import { quotaExceeded, readPeriodOf } from '../quota/read-quota.ts';
import { viewMemory } from './view-memory.ts';

// The Memory and the read that it costs, in one statement: what is not there costs nothing.
const readMemoryRow = accountStatement({
  name: 'read-memory',
  with(db, p: Params<ReadPeriod & { memoryId: string }>) {
    const found = db
      .with('found', (one) =>
        one
          .selectFrom('Memory as m')
          .innerJoin('caller', 'caller.accountId', 'm.accountId')
          .innerJoin('Space as s', 's.id', 'm.spaceId')
          .innerJoin('Account as a', 'a.id', 'm.accountId')
          .selectAll('m')
          .select((eb) => {
            const plain = eb as unknown as ExpressionBuilder<DB, never>;
            return [
              readLimit(eb as never).as('readLimit'),
              parentOf(plain, eb.ref('m.parentId')).as('parent'),
              childrenOf(plain, eb.ref('m.id')).as('children'),
            ];
          })
          .where('m.id', '=', p.memoryId)
          .where('m.deletedAt', 'is', null)
          .where('s.archivedAt', 'is', null)
          .where((eb) => isReached(eb.ref('caller.spaces'), eb.ref('s.id'))),
      )
      .with('reader', (one) => one.selectFrom('found').select(['accountId', 'readLimit']));
    return consumeRead(found, p);
  },
  rows: (db) =>
    db
      .selectFrom('found')
      .selectAll('found')
      .select((eb) => eb.exists(eb.selectFrom('consumed').select('consumed.accountId')).as('granted')),
});

/** The read of one live Memory of the account; consumes one read. Errors: `not_found` (archived Spaces too), `quota_exceeded`. */
export function memoryRead(
  now: Date,
  input: { memoryId: string },
): AccountRead<ReturnType<typeof viewWhole>> {
  return readMemoryRow({ ...readPeriodOf(now), memoryId: input.memoryId }, ([row]) => {
    if (!row) throw memoryNotFound();
    if (!row.granted) throw quotaExceeded(now, row.readLimit);
    return viewWhole(row);
  });
}

/** `memoryRead`, for the actor's account. */
export function readMemory(ctx: Context<AccountActor>, input: { memoryId: string }) {
  return runAccountRead(ctx, memoryRead(ctx.clock.now(), input));
}

type Row = Parameters<typeof viewMemory>[0] & {
  sourceRef: string | null;
  file: unknown;
  cu: number;
  parent: { id: string; title: string } | null;
  children: { id: string; title: string }[];
};

/** A Memory as the add operation answers it, with where it came from and what stands beside it. */
function viewWhole(row: Row) {
  return {
    ...viewMemory(row),
    sourceRef: row.sourceRef,
    file: row.file as MemoryFile | null,
    cu: row.cu,
    parent: row.parent,
    ...shownChildren(row.children),
  };
}
