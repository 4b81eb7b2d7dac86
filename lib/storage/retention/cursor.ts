import { sql } from 'kysely';
import type { Context } from '#lib/core/context.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import type { Executor } from '#lib/db/types.ts';
import type { StoredVersion } from './delete-bytes.ts';

const JOB = 'retention';
/** A pass that died holds the job no longer than this; above the time of a pass. */
const LEASE_MS = 360_000;

/** An orphan chosen for deletion; another pass that finishes it checks its age again. */
export type PendingOrphan = StoredVersion & { uploadedAt: string };

/** The position of retention. An interrupted pass resumes here the next night. */
export type Cursor = {
  phase: 'assets' | 'uploads' | 'orphans';
  /** Last row decided about: its date (creation, or last use for uploads) and identifier. */
  after: { at: string; id: string } | null;
  /** Orphans: rank of the folder, the store's own cursor in it, and what was decided but perhaps not deleted. */
  folder: number;
  page: string | null;
  pending: PendingOrphan[];
};

const START: Cursor = { phase: 'assets', after: null, folder: 0, page: null, pending: [] };

/** The row's JSON: the lease and the position. */
type Kept = { leaseUntil?: string; state?: Cursor | null };

const cursorColumn = sql.ref<Kept>('CronCursor.cursor');

// A lease further away than any that is given was taken under a clock that was wrong.
const lease = prepared('retention.lease', (db, p: Params<{ now: Date; until: string }>) => {
  const taken = sql`jsonb_build_object('leaseUntil', ${p.until}::text)`;
  return db
    .insertInto('CronCursor')
    .values({ job: JOB, cursor: taken, updatedAt: p.now })
    .onConflict((conflict) =>
      conflict
        .column('job')
        .doUpdateSet({ cursor: sql`${cursorColumn} || ${taken}`, updatedAt: p.now })
        .where(
          sql<boolean>`coalesce((${cursorColumn} ->> 'leaseUntil')::timestamptz, '-infinity')
            not between ${p.now}::timestamptz and ${p.until}::timestamptz`,
        ),
    )
    .returning(cursorColumn.as('cursor'));
});

const save = prepared('retention.cursor', (db, p: Params<{ state: string; now: Date }>) =>
  db
    .updateTable('CronCursor')
    .set({
      cursor: sql`${cursorColumn} || jsonb_build_object('state', ${p.state}::jsonb)`,
      updatedAt: p.now,
    })
    .where('job', '=', JOB),
);

const release = prepared('retention.release', (db, p: Params<{ now: Date; until: string }>) =>
  db
    .updateTable('CronCursor')
    .set({ cursor: sql`${cursorColumn} - 'leaseUntil'`, updatedAt: p.now })
    .where('job', '=', JOB)
    .where(sql<boolean>`${cursorColumn} ->> 'leaseUntil' = ${p.until}::text`),
);

/** The lease of the job for one pass: its end, and the position to resume from. */
type Lease = { until: Date; cursor: Cursor };

/** Takes the lease for one pass; null when another pass holds it. */
export async function takeLease(ctx: Pick<Context, 'kysely' | 'clock'>): Promise<Lease | null> {
  const now = ctx.clock.now();
  const until = new Date(now.getTime() + LEASE_MS);
  const row = await lease.first(ctx.kysely, { now, until: until.toISOString() });
  return row ? { until, cursor: { ...START, ...row.cursor.state } } : null;
}

/** Stores the position of the pass, in the transaction of the change it reflects, if any. */
export async function saveCursor(
  on: Executor,
  ctx: Pick<Context, 'clock'>,
  cursor: Cursor | null,
): Promise<void> {
  await save.run(on, { state: JSON.stringify(cursor), now: ctx.clock.now() });
}

/** Releases the lease, unless another pass holds it by now. */
export async function releaseLease(
  ctx: Pick<Context, 'kysely' | 'clock'>,
  { until }: Pick<Lease, 'until'>,
): Promise<void> {
  await release.run(ctx.kysely, { now: ctx.clock.now(), until: until.toISOString() });
}
