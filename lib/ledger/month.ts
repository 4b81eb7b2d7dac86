/** The UTC month an instant counts in, as `2026-11`: months compare as text. */
export function utcMonth(at: Date): string {
  return at.toISOString().slice(0, 7);
}

/** Whether `text` names a month (`2026-11`). */
export function isMonth(text: string): boolean {
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(text);
}
