import type { Context } from '#lib/core/context.ts';
import type { SqlTransaction } from '#lib/db/connection.ts';
import type { Doomed } from './delete-bytes.ts';

const JOB = 'retention';
/** A pass that died holds the job no longer than this; above the time of a pass. */
const LEASE_MS = 360_000;

/** An orphan that was decided about; how old it was then must still be true when another pass finishes. */
export type PendingOrphan = Doomed & { uploadedAt: string };

/** Where retention is. A pass that was cut resumes here the next night. */
export type Cursor = {
  phase: 'assets' | 'uploads' | 'orphans';
  /** Last row decided about: its date (creation, or last use for uploads) and identifier. */
  after: { at: string; id: string } | null;
  /** Orphans: rank of the folder, the store's own cursor in it, and what was decided but perhaps not deleted. */
  folder: number;
  page: string | null;
  pending: PendingOrphan[];
};

export const START: Cursor = { phase: 'assets', after: null, folder: 0, page: null, pending: [] };

/** Takes the job for one pass and tells where to resume; null when another pass holds it. */
export async function takeLease(ctx: Pick<Context, 'sql' | 'clock'>): Promise<Cursor | null> {
  const now = ctx.clock.now();
  // A lease further away than any that is given was taken under a clock that was wrong.
  const [row] = await ctx.sql.rows<{ cursor: { state?: Cursor | null } }>(
    'retention.lease',
    `INSERT INTO "CronCursor" AS c ("job", "cursor", "updatedAt") VALUES ($1, jsonb_build_object('leaseUntil', $3::text), $2)
     ON CONFLICT ("job") DO UPDATE SET "cursor" = c."cursor" || jsonb_build_object('leaseUntil', $3::text), "updatedAt" = $2
     WHERE COALESCE((c."cursor" ->> 'leaseUntil')::timestamptz, '-infinity') NOT BETWEEN $2::timestamptz
       AND $3::timestamptz RETURNING c."cursor"`,
    [JOB, now, new Date(now.getTime() + LEASE_MS).toISOString()],
  );
  return row ? { ...START, ...row.cursor.state } : null;
}

/** Keeps where the pass is, with the change that it tells of when there is one. */
export async function saveCursor(
  sql: SqlTransaction,
  ctx: Pick<Context, 'clock'>,
  cursor: Cursor | null,
): Promise<void> {
  await sql.rows(
    'retention.cursor',
    `UPDATE "CronCursor" SET "cursor" = "cursor" || jsonb_build_object('state', $2::jsonb), "updatedAt" = $3 WHERE "job" = $1`,
    [JOB, JSON.stringify(cursor), ctx.clock.now()],
  );
}

export async function releaseLease(ctx: Pick<Context, 'sql' | 'clock'>): Promise<void> {
  await ctx.sql.rows(
    'retention.release',
    `UPDATE "CronCursor" SET "cursor" = "cursor" - 'leaseUntil', "updatedAt" = $2 WHERE "job" = $1`,
    [JOB, ctx.clock.now()],
  );
}
