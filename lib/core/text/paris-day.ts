const days = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: 'Europe/Paris' });

/** The day of an instant in Paris, where every page tells the time: `2026-11-21`. For the name of a file that somebody saves. */
export function parisDay(at: Date): string {
  return days.format(at);
}
