/** What says that these filters of an address, by their French names, are not valid and not applied; null for none. */
export function ignoredFiltersNote(names: readonly string[]): string | null {
  if (names.length === 0) return null;
  const what =
    names.length > 1
      ? 'Des filtres de cette adresse ne sont pas valables et ne sont pas appliqués'
      : 'Un filtre de cette adresse n’est pas valable et n’est pas appliqué';
  return `${what}\u00a0: ${names.join(', ')}.`;
}
