import type { FilesContext } from '../context.ts';
import type { AssetWithFacts } from '../facts/asset-facts.ts';
import { readClaimedUploads, readUntouchedUploads } from '../facts/upload-facts.ts';
import type { FileStore } from '../file-store.ts';
import { headAll } from '../head-all.ts';
import { type AssetKeepReason, type FileFacts, keepReason, retentionCutoff } from '../keep-reason.ts';
import { BATCH, countKeptByIndex, readCandidates, readClaimedAssets } from './assets.ts';
import { isVersion } from './delete-bytes.ts';
import { findOrphans, ORPHAN_FOLDERS } from './orphans.ts';
import { emptyReport, type RetentionReport } from './report.ts';
import { foreseeOwner } from './store-owner.ts';

/** A file that the next pass would delete, and why. */
export type PlannedDeletion = {
  pathname: string;
  why: 'expired' | 'untouched' | 'orphan' | 'unfinished';
  /** Creation, last use, or arrival in the store. */
  since: Date;
  bytes: number;
};

type RetentionPlan = Omit<RetentionReport, 'files' | 'complete' | 'byHand'> & {
  files: { wouldRemove: number; bytes: number };
};

/** A file with its row, as the plan looks at it. */
type Candidate = FileFacts & { id: string; pathname: string; etag: string | null; bytes: bigint };

type Planning = {
  ctx: FilesContext;
  store: FileStore;
  now: Date;
  plan: RetentionPlan;
  record: (file: PlannedDeletion) => void;
  /** Bytes of rows that would go: the pass lists the folders after them. */
  leaving: number;
};

/**
 * A dry run of the next whole pass: the same queries and the same rule, and a store check of each file to delete, since one that changed is
 * kept. What the store's mark would keep the pass from (`withheld`, `orphansRefused`) is not planned; `ownStore`: as under `--own-store`.
 * `each` is called for every such file, in order; nothing is kept in memory. `{ skipped: 'no-blob-store' }` without a store.
 */
export async function planRetention(
  ctx: FilesContext,
  each: (file: PlannedDeletion) => void = () => {},
  options: { ownStore?: boolean } = {},
): Promise<RetentionPlan | { skipped: 'no-blob-store' }> {
  const { store } = ctx.files;
  if (!store) return { skipped: 'no-blob-store' };
  const now = ctx.clock.now();
  const { assets, orphans } = emptyReport();
  const plan: RetentionPlan = { assets, uploads: 0, orphans, files: { wouldRemove: 0, bytes: 0 } };
  const record = (file: PlannedDeletion) => {
    plan.files.wouldRemove += 1;
    plan.files.bytes += file.bytes;
    each(file);
  };
  const planning: Planning = { ctx, store, now, plan, record, leaving: 0 };
  const standing = await foreseeOwner({ ctx, store }, { ownStore: options.ownStore ?? false });
  if (standing === 'copy' || standing === 'marked') return { ...plan, withheld: standing };
  Object.assign(assets.kept, await countKeptByIndex(ctx.kysely, retentionCutoff(now)));
  await planAssets(planning);
  await planUploads(planning);
  if (standing === 'other') plan.orphansRefused = true;
  else await planOrphans(planning);
  return plan;
}

async function planAssets(planning: Planning): Promise<void> {
  const { ctx, now, plan } = planning;
  const { kept } = plan.assets;
  const count = (reason: string) => {
    kept[reason as AssetKeepReason] += 1;
  };
  const claimed = (last: AssetWithFacts | null) =>
    readClaimedAssets(ctx.kysely, { afterId: last?.id ?? '', limit: BATCH, now });
  for await (const page of pages(claimed))
    plan.assets.expired += await planPage(planning, page, 'unfinished', (reason) => {
      // Those two were counted by index, with all the others.
      if (reason !== 'recent' && reason !== 'status') count(reason);
    });
  const candidates = (last: AssetWithFacts | null) =>
    readCandidates(ctx.kysely, {
      cutoff: retentionCutoff(now),
      after: last && { at: last.createdAt.toISOString(), id: last.id },
      now,
    });
  for await (const page of pages(candidates))
    plan.assets.expired += await planPage(planning, page, 'expired', count);
}

async function planUploads(planning: Planning): Promise<void> {
  const { ctx, now, plan } = planning;
  // The report counts the reasons of assets alone.
  const count = () => {};
  const claimed = (last: Candidate | null) =>
    readClaimedUploads(ctx.kysely, { afterId: last?.id ?? '', limit: BATCH });
  for await (const page of pages(claimed))
    plan.uploads += await planPage(planning, page, 'unfinished', count);
  const untouched = (last: Candidate | null) =>
    readUntouchedUploads(ctx.kysely, { cutoff: retentionCutoff(now), after: placeOf(last), limit: BATCH });
  for await (const page of pages(untouched))
    plan.uploads += await planPage(planning, page, 'untouched', count);
}

/** Plans the rows of one page and says how many would go. */
async function planPage(
  planning: Planning,
  page: readonly Candidate[],
  why: PlannedDeletion['why'],
  count: (reason: string) => void,
): Promise<number> {
  const { store, now, record } = planning;
  const reasons = page.map((file) => keepReason(file, now));
  // Claimed files that are kept by now are checked too: one whose bytes are already deleted is removed in any case.
  const asked = page.filter((_, index) => reasons[index] === null || why === 'unfinished');
  const stored = await headAll(
    store,
    asked.map((file) => file.pathname),
  );
  let going = 0;
  for (const [index, file] of page.entries()) {
    const reason = reasons[index] ?? null;
    const object = stored.get(file.pathname);
    if (reason !== null && (why !== 'unfinished' || object)) count(reason);
    else if (object && !isVersion(object, file.etag)) count('changed');
    else {
      going += 1;
      if (object) planning.leaving += 1;
      const bytes = object ? Number(file.bytes) : 0;
      record({ pathname: file.pathname, why, since: file.since, bytes });
    }
  }
  return going;
}

async function planOrphans({ ctx, store, now, plan, record, leaving }: Planning): Promise<void> {
  for (const prefix of ORPHAN_FOLDERS) {
    let cursor: string | undefined;
    do {
      const page = await store.list({ prefix, ...(cursor ? { cursor } : {}) });
      plan.orphans.scanned += page.files.length;
      for (const file of await findOrphans(ctx.kysely, page.files, now, keepReason)) {
        plan.orphans.expired += 1;
        record({ pathname: file.pathname, why: 'orphan', since: file.uploadedAt, bytes: file.bytes });
      }
      cursor = page.cursor;
    } while (cursor);
  }
  plan.orphans.scanned -= leaving;
}

/** Every page of rows, each asked for after the last row of the one before. */
async function* pages<Row>(read: (last: Row | null) => Promise<Row[]>): AsyncGenerator<Row[]> {
  for (let last: Row | null = null; ; ) {
    const page: Row[] = await read(last);
    const end = page.at(-1);
    if (end === undefined) return;
    yield page;
    last = end;
  }
}

function placeOf(last: Candidate | null): { at: string; id: string } | null {
  return last && { at: last.since.toISOString(), id: last.id };
}
