const inParis = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Paris',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** The instant at which a day (`2026-11-21`) begins in Paris, `addDays` days later; undefined for anything else than a day. */
export function parisDayStart(day: string | undefined, addDays = 0): Date | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '');
  if (!match) return undefined;
  const utc = Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3]) + addDays);
  if (new Date(utc - addDays * 86_400_000).toISOString().slice(0, 10) !== day) return undefined;
  const wanted = `${new Date(utc).toISOString().slice(0, 10)} 00:00:00`;
  return [1, 2].map((hours) => new Date(utc - hours * 3_600_000)).find((at) => inParis.format(at) === wanted);
}
