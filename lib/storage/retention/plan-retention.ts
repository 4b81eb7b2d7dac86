import type { FilesContext } from '../context.ts';
import { readUntouchedUploads } from '../facts/upload-facts.ts';
import { type AssetKeepReason, keepReason, retentionCutoff } from '../keep-reason.ts';
import { BATCH, countSettled, readCandidates } from './assets.ts';
import { findOrphans, ORPHAN_FOLDERS } from './orphans.ts';
import { emptyReport, type RetentionReport } from './report.ts';

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
  const cutoff = retentionCutoff(now);
  const { assets, uploads: _none, orphans } = emptyReport();
  const plan: RetentionPlan = { assets, uploads: 0, orphans, files: { wouldRemove: 0, bytes: 0 } };
  const tell = (file: PlannedDeletion) => {
    plan.files.wouldRemove += 1;
    plan.files.bytes += file.bytes;
    each(file);
  };
  Object.assign(assets.kept, await countSettled(ctx.kysely, cutoff));
  for (const file of await claimedBefore(ctx)) tell(file);
  let after: { at: string; id: string } | null = null;
  for (;;) {
    const files = await readCandidates(ctx.kysely, { cutoff, after, now });
    const last = files.at(-1);
    if (!last) break;
    after = { at: last.createdAt.toISOString(), id: last.id };
    for (const file of files) {
      const reason = keepReason(file, now);
      if (reason) assets.kept[reason as AssetKeepReason] += 1;
      else {
        assets.expired += 1;
        tell({ pathname: file.pathname, why: 'expired', since: file.createdAt, bytes: Number(file.bytes) });
      }
    }
  }
  after = null;
  for (;;) {
    const uploads = await readUntouchedUploads(ctx.kysely, { cutoff, after, limit: BATCH });
    const last = uploads.at(-1);
    if (!last) break;
    after = { at: last.touchedAt.toISOString(), id: last.id };
    for (const upload of uploads.filter((one) => keepReason(one, now) === null)) {
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
      for (const file of await findOrphans(ctx.kysely, page.files, now, keepReason)) {
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
  const rows = await ctx.kysely
    .selectFrom('Asset')
    .select(['pathname', 'createdAt as since', 'bytes'])
    .where('deletedAt', 'is', null)
    .where('expiringAt', 'is not', null)
    .unionAll((query) =>
      query
        .selectFrom('Upload')
        .select(['pathname', 'touchedAt as since', 'bytes'])
        .where('deletedAt', 'is', null)
        .where('expiringAt', 'is not', null),
    )
    .limit(10_000)
    .execute();
  return rows.map((row) => ({ ...row, why: 'unfinished' as const, bytes: Number(row.bytes) }));
}
