import { ignoredFiltersNote } from '#app/_cockpit/address/ignored-filters.ts';
import { AUDIT_FILTERS } from '#app/_cockpit/audit-words.ts';
import { parisDayStart } from '#lib/core/text/paris-day.ts';
import type { AuditFilters } from '#lib/identity/audit/read-audit.ts';

export type AuditQuery = Record<string, string | undefined>;

/** The filters of an address; invalid values are ignored. */
export function auditFilters(query: AuditQuery): AuditFilters {
  return {
    families: AUDIT_FILTERS.find((filter) => filter.value === query.action)?.families,
    memberId: query.membre || undefined,
    subjectId: /^[a-z]{3}_[0-9a-z]{26}$/.test(query.objet ?? '') ? query.objet : undefined,
    from: parisDayStart(query.du),
    to: parisDayStart(query.au, 1),
  };
}

/** What says which filters of the address are not valid, and therefore not applied; null when all are. */
export function ignoredNote(query: AuditQuery): string | null {
  const { families, subjectId, from, to } = auditFilters(query);
  const given: [name: string, asked: string | undefined, applied: unknown][] = [
    ['action', query.action, families],
    ['objet', query.objet, subjectId],
    ['date de début', query.du, from],
    ['date de fin', query.au, to],
  ];
  return ignoredFiltersNote(given.flatMap(([name, asked, applied]) => (asked && !applied ? [name] : [])));
}

/** The address of the audit with the filters of `query`, overridden by those of `change`. */
export function auditHref(query: AuditQuery, change: AuditQuery = {}, path = '/audit'): string {
  const search = new URLSearchParams();
  const merged = { ...query, ...change };
  for (const name of ['action', 'membre', 'objet', 'du', 'au', 'apres', 'entree', 'format'])
    if (merged[name]) search.set(name, merged[name]);
  return search.size > 0 ? `${path}?${search}` : path;
}
