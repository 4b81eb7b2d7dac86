import type { FilesContext } from '../context.ts';
import { keptReason } from '../keep-reason.ts';
import { countSettled, readCandidates } from './assets.ts';
import { findOrphans, ORPHAN_FOLDERS } from './orphans.ts';
import { cutoffOf } from './pass.ts';
import { emptyReport, type RetentionReport } from './report.ts';
import { readOldUploads } from './uploads.ts';

/** A file that the next pass would delete, and why. */
export type PlannedDeletion = {
  pathname: string;
  why: 'expired' | 'untouched' | 'orphan' | 'unfinished';
  /** Creation, last use, or arrival in the store. */
  since: Date;
  bytes: number;
};

export type RetentionPlan = Omit<RetentionReport, 'files' | 'complete'> & {
  files: { wouldRemove: number; bytes: number };
};

/**
 * What the next whole pass would do, without doing it: the same questions and the same rule. `each` hears of every file that
 * would go, in order; nothing is kept in memory. `{ skipped: 'no-blob-store' }` without a store.
 */
export async function planRetention(
  ctx: FilesContext,
  each: (file: PlannedDeletion) => void = () => {},
): Promise<RetentionPlan | { skipped: 'no-blob-store' }> {
  const { store } = ctx.files;
  if (!store) return { skipped: 'no-blob-store' };
  const now = ctx.clock.now();
  const cutoff = cutoffOf(now);
  const { assets, uploads: _none, orphans } = emptyReport();
  const plan: RetentionPlan = { assets, uploads: 0, orphans, files: { wouldRemove: 0, bytes: 0 } };
  const tell = (file: PlannedDeletion) => {
    plan.files.wouldRemove += 1;
    plan.files.bytes += file.bytes;
    each(file);
  };
  Object.assign(assets.kept, await countSettled(ctx.sql, cutoff));
  for (const file of await claimedBefore(ctx)) tell(file);
  let after: { at: string; id: string } | null = null;
  for (;;) {
    const files = await readCandidates(ctx.sql, { cutoff, after, now });
    const last = files.at(-1);
    if (!last) break;
    after = { at: last.createdAt.toISOString(), id: last.id };
    for (const file of files) {
      const reason = keptReason(file, now);
      if (reason) assets.kept[reason] += 1;
      else {
        assets.expired += 1;
        tell({ pathname: file.pathname, why: 'expired', since: file.createdAt, bytes: Number(file.bytes) });
      }
    }
  }
  after = null;
  for (;;) {
    const uploads = await readOldUploads(ctx.sql, { cutoff, after });
    const last = uploads.at(-1);
    if (!last) break;
    after = { at: last.touchedAt.toISOString(), id: last.id };
    for (const upload of uploads.filter(({ isHeld }) => !isHeld)) {
      plan.uploads += 1;
      const { pathname, touchedAt, bytes } = upload;
      tell({ pathname, why: 'untouched', since: touchedAt, bytes: Number(bytes) });
    }
  }
  for (const prefix of ORPHAN_FOLDERS) {
    let cursor: string | undefined;
    do {
      const page = await store.list({ prefix, ...(cursor ? { cursor } : {}) });
      orphans.scanned += page.files.length;
      for (const file of await findOrphans(ctx.sql, page.files, cutoff)) {
        orphans.expired += 1;
        tell({ pathname: file.pathname, why: 'orphan', since: file.uploadedAt, bytes: file.bytes });
      }
      cursor = page.cursor;
    } while (cursor);
  }
  return plan;
}

/** What an earlier pass decided and did not finish. */
async function claimedBefore(ctx: FilesContext): Promise<PlannedDeletion[]> {
  const rows = await ctx.sql.rows<{ pathname: string; since: Date; bytes: bigint }>(
    'retention.unfinished',
    `SELECT "pathname", "createdAt" AS "since", "bytes" FROM "Asset" WHERE "deletedAt" IS NULL AND "expiringAt" IS NOT NULL
     UNION ALL SELECT "pathname", "touchedAt", "bytes" FROM "Upload" WHERE "deletedAt" IS NULL AND "expiringAt" IS NOT NULL
     LIMIT 10000`,
    [],
  );
  return rows.map((row) => ({ ...row, why: 'unfinished' as const, bytes: Number(row.bytes) }));
}
