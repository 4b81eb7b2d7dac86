/** The UTC month an instant counts in, as `2026-11`: months compare as text. */
export function utcMonth(at: Date): string {
  return at.toISOString().slice(0, 7);
}

/** Whether `text` names a month (`2026-11`). */
export function isMonth(text: string): boolean {
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(text);
}

/** The month `count` months later (earlier when negative): `2026-11` and 2 give `2027-01`. */
export function addMonths(month: string, count: number): string {
  return utcMonth(new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)) - 1 + count, 1)));
}

/** The days of a month in order, as `2026-11-01`. */
export function daysOf(month: string): string[] {
  const [year, rank] = [Number(month.slice(0, 4)), Number(month.slice(5))];
  const days = new Date(Date.UTC(year, rank, 0)).getUTCDate();
  return Array.from({ length: days }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`);
}
