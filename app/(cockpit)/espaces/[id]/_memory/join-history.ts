import type { RevisionEntry } from '#lib/brain/memories/history.ts';

export type HistoryPage = { revisions: RevisionEntry[]; more: boolean };

/**
 * What is shown once `next` was read: the first page, or the one of before a version. Readings cross: a page that does not follow the last
 * entry shown would leave one out, and a first page that is older than the one shown would hide the newest; both are dropped.
 */
export function joinHistory(now: HistoryPage | null, next: HistoryPage, before?: number): HistoryPage {
  if (!now) return next;
  if (before === undefined)
    return (next.revisions[0]?.version ?? 0) < (now.revisions[0]?.version ?? 0) ? now : next;
  if (now.revisions.at(-1)?.version !== before) return now;
  return { ...next, revisions: [...now.revisions, ...next.revisions] };
}
