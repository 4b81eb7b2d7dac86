import type { FilesContext } from '../context.ts';
import type { FileStore } from '../file-store.ts';
import type { FileFacts, KeepReason } from '../keep-reason.ts';
import type { Budget } from './budget.ts';
import type { Cursor } from './cursor.ts';
import type { RetentionReport } from './report.ts';

/**
 * What a pass may delete. `own`: all of it. `other`: what this database's rows name, for the store bears another's mark. Nothing: `copy`, the
 * store is that of a service at another address, whose database this one is a copy of; `marked`, the mark was written just now over what
 * another may have written at once, and the next pass sees whose it is; `unknown`, the store does not say.
 */
export type Standing = 'own' | 'other' | 'copy' | 'marked' | 'unknown';

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
  /** The store is marked anew as this service's. */
  ownStore: boolean;
  /** What it may delete, by whose the store is. */
  standing: Standing;
  rule: (facts: FileFacts, now: Date) => KeepReason | null;
};

/** Counts files that changed since they were recorded, each once: one that an earlier pass claimed is met twice. */
export function countChanged(pass: Pass, files: readonly { pathname: string }[]): void {
  for (const { pathname } of files) pass.changed.add(pathname);
  pass.report.assets.kept.changed = pass.changed.size;
}
