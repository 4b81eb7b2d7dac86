import type { JournalFilters } from '#lib/studio/journal/list-generations.ts';

/** What the journal's address asks for: the filters and the view. */
export type JournalAddress = {
  /** As the API takes them, with times where the address has days in Paris. */
  filters: JournalFilters;
  /** As the address gives them: these are shown and saved. */
  asked: JournalFilters;
  /** Filters that the API would refuse: they are not applied, and the page says so. */
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

/** The French names of the filters. */
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

/** The journal's address with some parameters changed; null or empty removes one. The order of the parameters is fixed. */
export function journalHref(query: Query, change: Record<string, string | null> = {}): string {
  const merged: Record<string, string | null | undefined> = { ...query, ...change };
  const params = new URLSearchParams();
  for (const name of [...FILTERS, 'vue']) if (merged[name]) params.set(name, merged[name]);
  const text = params.toString().replaceAll('%2C', ',');
  return text ? `/journal?${text}` : '/journal';
}

/** Whether these filters are exactly the queue « À vérifier ». */
export const isQueue = (filters: JournalFilters) =>
  filters.review === 'to-review' && Object.keys(filters).length === 1;

/** The name of the filtered list, for links back to it. */
export function listName(filters: JournalFilters): string {
  if (isQueue(filters)) return 'À vérifier';
  return Object.keys(filters).length > 0 ? 'Journal filtré' : 'Journal';
}

/** The address of a generation's page, with the query of the list from which it is opened. */
export function rowHref(id: string, query: Query = {}): string {
  return journalHref(query).replace('/journal', `/journal/${id}`);
}

/** The number of generations that can be compared. */
export const MOST_COMPARED = 4;

/** The address of a comparison; `onlyDifferences` hides what the generations have in common. */
export function compareHref(ids: readonly string[], onlyDifferences = false): string {
  const params = new URLSearchParams({
    ids: ids.join(','),
    ...(onlyDifferences ? { differences: '1' } : {}),
  });
  return `/journal/comparer?${params.toString().replaceAll('%2C', ',')}`;
}

/** The generation identifiers in an address, without repetition, at most `MOST_COMPARED`. */
export function readIds(text: string | undefined): string[] {
  const ids = (text ?? '').split(',').filter((id) => /^gen_[0-9a-z]{26}$/.test(id));
  return [...new Set(ids)].slice(0, MOST_COMPARED);
}

/** Filters as a query string, for `GET /api/generations` or the journal's address. */
export function apiQuery(filters: JournalAddress['filters'], more: Record<string, string> = {}): string {
  const params = new URLSearchParams();
  for (const name of FILTERS) {
    const value = filters[name];
    if (value !== undefined) params.set(name, String(value));
  }
  for (const [name, value] of Object.entries(more)) params.set(name, value);
  return params.toString();
}
