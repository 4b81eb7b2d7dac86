import type { JournalFilters } from '#lib/studio/journal/list-generations.ts';

/** What the journal's address says: the filters, and the view. */
export type JournalAddress = {
  /** As the API takes them: instants, where the address says days of Paris. */
  filters: JournalFilters;
  /** The same, as the address says them: what is shown and saved. */
  asked: JournalFilters;
  /** Filters that the API would refuse: left out, and said. */
  ignored: FilterName[];
  view: 'planche' | 'table';
};

export const FILTERS = [
  'status',
  'review',
  'kind',
  'case',
  'productId',
  'memberId',
  'from',
  'to',
  'q',
] as const;
export type FilterName = (typeof FILTERS)[number];

/** The filters by the name that people know. */
export const FILTER_LABELS: Record<FilterName, string> = {
  status: 'état',
  review: 'vérification',
  kind: 'type',
  case: 'cas',
  productId: 'produit',
  memberId: 'membre',
  from: 'date de début',
  to: 'date de fin',
  q: 'recherche',
};
export type Query = Record<string, string | undefined>;

/** The journal's address with some parts changed; null or empty takes one away. Always in the same order. */
export function journalHref(query: Query, change: Record<string, string | null> = {}): string {
  const merged: Record<string, string | null | undefined> = { ...query, ...change };
  const params = new URLSearchParams();
  for (const name of [...FILTERS, 'vue']) if (merged[name]) params.set(name, merged[name]);
  const text = params.toString().replaceAll('%2C', ',');
  return text ? `/journal?${text}` : '/journal';
}

/** Whether these filters are the queue of what nobody judged yet. */
export const isQueue = (filters: JournalFilters) =>
  filters.review === 'to-review' && Object.keys(filters).length === 1;

/** What the list of these filters is called where one goes back to it. */
export function listName(filters: JournalFilters): string {
  if (isQueue(filters)) return 'À vérifier';
  return Object.keys(filters).length > 0 ? 'Journal filtré' : 'Journal';
}

/** One row's address, which remembers the list that it was opened from. */
export function rowHref(id: string, query: Query = {}): string {
  return journalHref(query).replace('/journal', `/journal/${id}`);
}

/** Rows that are laid side by side. */
export const MOST_COMPARED = 4;

/** The page that lays some rows side by side; `onlyDifferences`: without what they have in common. */
export function compareHref(ids: readonly string[], onlyDifferences = false): string {
  const params = new URLSearchParams({
    ids: ids.join(','),
    ...(onlyDifferences ? { differences: '1' } : {}),
  });
  return `/journal/comparer?${params.toString().replaceAll('%2C', ',')}`;
}

/** The rows that an address names, each once. */
export function readIds(text: string | undefined): string[] {
  const ids = (text ?? '').split(',').filter((id) => /^gen_[0-9a-z]{26}$/.test(id));
  return [...new Set(ids)].slice(0, MOST_COMPARED);
}

/** Filters as a query: of `GET /api/generations`, or of the journal's address. */
export function apiQuery(filters: JournalAddress['filters'], more: Record<string, string> = {}): string {
  const params = new URLSearchParams();
  for (const name of FILTERS) {
    const value = filters[name];
    if (value !== undefined) params.set(name, String(value));
  }
  for (const [name, value] of Object.entries(more)) params.set(name, value);
  return params.toString();
}
