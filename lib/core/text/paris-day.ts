const days = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: 'Europe/Paris' });
const times = new Intl.DateTimeFormat('sv-SE', {
  dateStyle: 'short',
  timeStyle: 'medium',
  timeZone: 'Europe/Paris',
});
const DAY_MS = 86_400_000;

/** The day of an instant in Paris, where every page tells the time: `2026-11-21`. */
export function parisDay(at: Date): string {
  return days.format(at);
}

/** An instant as Paris tells it, to the second: `2026-11-21 00:30:00`, which a spreadsheet reads as a date. */
export function parisTime(at: Date): string {
  return times.format(at);
}

/** The instant at which a day (`2026-11-21`) begins in Paris, `addDays` days later; undefined for anything else than a day. */
export function parisDayStart(day: string | undefined, addDays = 0): Date | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '');
  if (!match) return undefined;
  const utc = Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3]) + addDays);
  if (new Date(utc - addDays * DAY_MS).toISOString().slice(0, 10) !== day) return undefined;
  const wanted = `${new Date(utc).toISOString().slice(0, 10)} 00:00:00`;
  return [1, 2].map((hours) => new Date(utc - hours * 3_600_000)).find((at) => parisTime(at) === wanted);
}

/** The last `count` days of Paris, that of `now` included, oldest first: each once, whether it has 23, 24 or 25 hours. */
export function lastParisDays(now: Date, count: number): string[] {
  const today = Date.parse(`${parisDay(now)}T00:00:00Z`);
  return Array.from({ length: count }, (_, index) =>
    new Date(today - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}
