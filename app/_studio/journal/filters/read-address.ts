import { parisDayStart } from '#lib/core/text/paris-day.ts';
import { journalQuery } from '#lib/studio/journal/list-generations.ts';
import { FILTERS, type FilterName, type JournalAddress, type Query } from './query.ts';

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
