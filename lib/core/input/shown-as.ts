/** The value of an editable field of a page; null: no value. */
export type ShownValue = string | bigint | null | readonly string[];

/** The editable fields as the page showed them, each written by `shownAs`: sent along with the change. */
export type Shown = Readonly<Record<string, string>>;

/** A value as a text to compare: equal texts mean that it has not changed. No value is the empty text; the order of a list does not count. */
export function shownAs(value: ShownValue): string {
  if (value === null) return '';
  if (typeof value === 'object') return JSON.stringify([...value].sort());
  return String(value);
}
