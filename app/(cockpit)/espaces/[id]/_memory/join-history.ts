import type { RevisionEntry } from '#lib/brain/memories/history.ts';

export type HistoryPage = { revisions: RevisionEntry[]; more: boolean };

/**
 * The history shown after loading the page `next`: the first page, or the one before the version `before`. Answers may arrive out of order: a
 * page that does not follow the last entry, and a first page older than the one shown, are ignored.
 */
export function joinHistory(now: HistoryPage | null, next: HistoryPage, before?: number): HistoryPage {
  if (!now) return next;
  if (before === undefined)
    return (next.revisions[0]?.version ?? 0) < (now.revisions[0]?.version ?? 0) ? now : next;
  if (now.revisions.at(-1)?.version !== before) return now;
  return { ...next, revisions: [...now.revisions, ...next.revisions] };
}
