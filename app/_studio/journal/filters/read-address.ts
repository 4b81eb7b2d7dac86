import { ignoredFiltersNote } from '#app/_cockpit/address/ignored-filters.ts';
import { parisDayStart } from '#lib/core/text/paris-day.ts';
import { journalQuery, MAX_JOURNAL_SEARCH } from '#lib/studio/journal/list-generations.ts';
import { FILTER_LABELS, FILTERS, type FilterName, type JournalAddress, type Query } from './query.ts';

/** Reads the address, whose days are days in Paris. A filter that the API would refuse is left out and listed in `ignored`. */
export function readAddress(query: Query): JournalAddress {
  const asked: Record<string, unknown> = {};
  const filters: Record<string, unknown> = {};
  const ignored: FilterName[] = [];
  for (const name of FILTERS) {
    const value = query[name];
    if (!value) continue;
    const parsed = journalQuery.safeParse({ [name]: value });
    const taken = parsed.success ? forApi(name, parsed.data[name]) : undefined;
    if (!parsed.success || taken === undefined) {
      ignored.push(name);
      continue;
    }
    asked[name] = parsed.data[name];
    filters[name] = taken;
  }
  return {
    filters: filters as JournalAddress['filters'],
    asked: asked as JournalAddress['asked'],
    ignored,
    view: query.vue === 'table' ? 'table' : 'planche',
  };
}

/** A filter as the API takes it. The API's own days are in UTC, so a day in Paris becomes the time at which it begins or ends. */
function forApi(name: FilterName, value: string | undefined): string | undefined {
  const isDay = (name === 'from' || name === 'to') && value?.length === 10;
  return isDay ? parisDayStart(value, name === 'to' ? 1 : 0)?.toISOString() : value;
}

/** What says which filters of the address are not applied; for a search that is too long, also how long it may be. Null when all are. */
export function ignoredNote({ ignored }: JournalAddress, { q = '' }: Query): string | null {
  const note = ignoredFiltersNote(ignored.map((name) => FILTER_LABELS[name]));
  return ignored.includes('q') && q.trim().length > MAX_JOURNAL_SEARCH
    ? `${note} La recherche compte au plus ${MAX_JOURNAL_SEARCH} caractères.`
    : note;
}
