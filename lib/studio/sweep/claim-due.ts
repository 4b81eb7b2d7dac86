import { sql } from 'kysely';
import { inOpenState } from '#lib/db/open-states.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import type { StudioContext } from '../context.ts';
import { type Generation, generationColumns, readGeneration } from '../generation/generation.ts';
import { ASYNCHRONOUS_KINDS, isKindOf } from '../generation/states.ts';
import type { ClosedReserve } from '../lifecycle/decide.ts';
import { SWEEP_LEASE_MS } from '../limits.ts';

/** A row that is due, and how the ledger closed its reserve, if it did. */
export type DueRow = {
  row: Generation;
  reserve: ClosedReserve | null;
  /** When it was due, before this claim. */
  dueAt: Date;
};

/** `local`: what the ledger, the row and our store decide alone, no provider is asked. `any`: everything. */
export type Lane = 'local' | 'any';

type ClaimValues = { now: Date; until: Date; limit: number };

const claim = (lane: Lane) =>
  prepared(`studio.claim_${lane}`, (db, p: Params<ClaimValues>) =>
    db
      .with('due', (qb) => {
        const due = qb
          .selectFrom('Generation')
          .select(['id', 'dueAt'])
          .where(inOpenState('state'))
          .where('dueAt', '<=', p.now)
          .orderBy('dueAt')
          .limit(sql<number>`${p.limit}`)
          .forUpdate()
          .skipLocked();
        if (lane === 'any') return due;
        return due.where((eb) =>
          eb.or([
            eb('chargePending', '=', true),
            eb.not(isKindOf('kind', ASYNCHRONOUS_KINDS)),
            eb.exists(
              eb
                .selectFrom('LedgerLine as closing')
                .select('closing.id')
                .whereRef('closing.generationId', '=', 'Generation.id')
                .where('closing.kind', 'in', ['SETTLE', 'REFUND']),
            ),
          ]),
        );
      })
      .with('claimed', (qb) =>
        qb
          .updateTable('Generation')
          .from('due')
          .set({ dueAt: p.until })
          .whereRef('Generation.id', '=', 'due.id')
          .returning([...generationColumns('Generation'), 'due.dueAt as wasDueAt']),
      )
      .selectFrom('claimed')
      .leftJoin('LedgerLine as closing', (join) =>
        join.onRef('closing.generationId', '=', 'claimed.id').on('closing.kind', 'in', ['SETTLE', 'REFUND']),
      )
      .select(generationColumns('claimed'))
      .select([
        'claimed.wasDueAt',
        sql<'SETTLE' | 'REFUND' | null>`${sql.ref('closing.kind')}`.as('closedKind'),
        'closing.amountMicros as closedMicros',
      ]),
  );
const CLAIM = { local: claim('local'), any: claim('any') };

/**
 * Takes up to `limit` open rows whose time has come, the longest waiting first. Several sweeps share the work: a row is claimed
 * by one until its lease ends, and a sweep that dies leaves it to the next one.
 */
export async function claimDue(ctx: StudioContext, limit: number, lane: Lane = 'any'): Promise<DueRow[]> {
  const now = ctx.clock.now();
  const until = new Date(now.getTime() + SWEEP_LEASE_MS);
  const rows = await CLAIM[lane].all(ctx.kysely, { now, until, limit });
  return rows.map(({ closedKind, closedMicros, wasDueAt, ...row }) => ({
    row: readGeneration(row),
    reserve: closedKind === null ? null : { kind: closedKind, amountMicros: -(closedMicros ?? 0n) },
    dueAt: wasDueAt,
  }));
}

const release = prepared('studio.release_due', (db, p: Params<{ ids: string[]; dueAt: Date[] }>) =>
  db
    .updateTable('Generation')
    .from(
      sql<{ id: string; dueAt: Date }>`unnest(${p.ids}::text[], ${p.dueAt}::timestamptz[])`.as<'claimed'>(
        sql`claimed("id", "dueAt")`,
      ),
    )
    .set((eb) => ({ dueAt: eb.ref('claimed.dueAt') }))
    .whereRef('Generation.id', '=', 'claimed.id')
    .where(inOpenState('Generation.state')),
);

/** Gives back rows that were claimed and not begun: they are due as they were, for whoever sweeps next. */
export async function releaseDue(ctx: StudioContext, due: readonly DueRow[]): Promise<void> {
  if (due.length === 0) return;
  await release.run(ctx.kysely, {
    ids: due.map(({ row }) => row.id),
    dueAt: due.map(({ dueAt }) => dueAt),
  });
}
