/** A date in French, whose first day of the month is an ordinal: « 1er décembre 2026 ». `format` says which parts, and in which zone. */
export function ordinalDay(format: Intl.DateTimeFormat, at: Date): string {
  const text = format.format(at);
  // Parts take sixteen times as long, and seldom is there a 1 on its own.
  if (!/(?<!\d)1(?!\d)/.test(text)) return text;
  const parts = format.formatToParts(at);
  return parts.map(({ type, value }) => (type === 'day' && value === '1' ? '1er' : value)).join('');
}
