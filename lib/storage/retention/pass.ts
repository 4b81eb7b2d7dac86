import type { FilesContext } from '../context.ts';
import type { FileStore } from '../file-store.ts';
import type { FileFacts, KeepReason } from '../keep-reason.ts';
import type { Budget } from './budget.ts';
import type { Cursor } from './cursor.ts';
import type { RetentionReport } from './report.ts';

/** One pass under way: what its phases share. */
export type Pass = {
  ctx: FilesContext;
  store: FileStore;
  budget: Budget;
  report: RetentionReport;
  /** Files that were found changed since they were recorded; each is counted once. */
  changed: Set<string>;
  /** Where the pass is; written to the database as it moves. */
  cursor: Cursor;
  now: Date;
  /** Older than this is old: strictly more than 30 days. */
  cutoff: Date;
  /** Rows decided about in one transaction, and objects listed at once. */
  batch: number;
  page: number;
  /** The store is marked anew as this database's. */
  ownStore: boolean;
  rule: (facts: FileFacts, now: Date) => KeepReason | null;
};

/** Counts files that changed since they were recorded, each once: one that an earlier pass claimed is met twice. */
export function countChanged(pass: Pass, files: readonly { pathname: string }[]): void {
  for (const { pathname } of files) pass.changed.add(pathname);
  pass.report.assets.kept.changed = pass.changed.size;
}
