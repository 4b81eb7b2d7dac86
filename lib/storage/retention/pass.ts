import type { FilesContext } from '../context.ts';
import type { FileStore } from '../file-store.ts';
import type { FileFacts, KeepReason } from '../keep-reason.ts';
import type { Budget } from './budget.ts';
import type { Cursor } from './cursor.ts';
import type { RetentionReport } from './report.ts';

/**
 * What a pass may delete, by the owner of the store. `own`: everything. `other` (marked as another database's): only files that this
 * database's rows name. The others delete nothing. `copy`: this database is a copy of that of a service at another address; `marked`: the mark
 * was just written, perhaps over a concurrent one, and the next pass checks it; `unknown`: the store does not say.
 */
export type Standing = 'own' | 'other' | 'copy' | 'marked' | 'unknown';

/** The state that the phases of one pass share. */
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
