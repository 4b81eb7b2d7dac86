const months = new Intl.DateTimeFormat('fr-FR', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** `novembre 2026`, from `2026-11`. */
export function monthWords(month: string): string {
  return months.format(new Date(`${month}-01T00:00:00Z`));
}
