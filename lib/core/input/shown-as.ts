/** A value that a page lets one change; null: none. */
export type ShownValue = string | bigint | null | readonly string[];

/** What a page showed of fields that it lets one change, each as `shownAs` writes it: sent along with the change. */
export type Shown = Readonly<Record<string, string>>;

/** A value as a text to compare: two that are equal say that nothing changed in between. None is empty; a list has no order. */
export function shownAs(value: ShownValue): string {
  if (value === null) return '';
  if (typeof value === 'object') return JSON.stringify([...value].sort());
  return String(value);
}
