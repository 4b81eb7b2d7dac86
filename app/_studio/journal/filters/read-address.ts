import { journalQuery } from '#lib/studio/journal/list-generations.ts';
import { FILTERS, type FilterName, type JournalAddress, type Query } from './query.ts';

/** Reads the address; a filter that the API would refuse is left out and named. */
export function readAddress(query: Query): JournalAddress {
  const filters: Record<string, unknown> = {};
  const ignored: FilterName[] = [];
  for (const name of FILTERS) {
    const value = query[name];
    if (!value) continue;
    const parsed = journalQuery.safeParse({ [name]: value });
    if (parsed.success) filters[name] = parsed.data[name];
    else ignored.push(name);
  }
  return {
    filters: filters as JournalAddress['filters'],
    ignored,
    view: query.vue === 'table' ? 'table' : 'planche',
  };
}
