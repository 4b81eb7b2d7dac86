type TextField = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** What fields hold, by their names. */
export type Typed = Record<string, string>;

const TYPED_IN =
  'textarea[name], select[name], input[name]:not([type=hidden], [type=file], [type=checkbox], [type=radio])';

/** The fields within an element that somebody writes or chooses in. */
export const fieldsOf = (around: Element): TextField[] => [...around.querySelectorAll<TextField>(TYPED_IN)];

/** What they hold, or what they held before anybody touched them. */
export function typedIn(fields: readonly TextField[], untouched = false): Typed {
  return Object.fromEntries(fields.map((field) => [field.name, untouched ? firstOf(field) : field.value]));
}

function firstOf(field: TextField): string {
  if (!('options' in field)) return field.defaultValue;
  const options = [...field.options];
  return (options.find((option) => option.defaultSelected) ?? options[0])?.value ?? '';
}

/** Whether one of these texts is another one there. */
export const differs = (texts: Typed, there: Typed): boolean =>
  Object.entries(texts).some(([field, text]) => text !== there[field]);

/**
 * Writes texts into the fields of their names, as a hand would: their counters follow. With `only`, into those alone that still hold what it says:
 * what was typed before the page lived is newer. Whether it changed something.
 */
export function fill(fields: readonly TextField[], texts: Typed, only?: Typed): boolean {
  let isChanged = false;
  for (const field of fields) {
    const text = texts[field.name];
    if (typeof text !== 'string' || text === field.value) continue;
    if (only && field.value !== only[field.name]) continue;
    // A choice that is offered no more.
    if ('options' in field && ![...field.options].some(({ value }) => value === text)) continue;
    field.value = text;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    isChanged = true;
  }
  return isChanged;
}
