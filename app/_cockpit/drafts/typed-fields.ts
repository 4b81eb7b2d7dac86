type TextField = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** The values of fields, by name. */
export type Typed = Record<string, string>;

const TYPED_IN =
  'textarea[name], select[name], input[name]:not([type=hidden], [type=file], [type=checkbox], [type=radio])';

/** The fields within an element in which something is typed or chosen. */
export const fieldsOf = (around: Element): TextField[] => [...around.querySelectorAll<TextField>(TYPED_IN)];

/** The values of the fields; with `untouched`, their initial values. */
export function typedIn(fields: readonly TextField[], untouched = false): Typed {
  return Object.fromEntries(fields.map((field) => [field.name, untouched ? firstOf(field) : field.value]));
}

function firstOf(field: TextField): string {
  if (!('options' in field)) return field.defaultValue;
  const options = [...field.options];
  return (options.find((option) => option.defaultSelected) ?? options[0])?.value ?? '';
}

/** Whether one of these texts differs from that of the same name in `there`. */
export const differs = (texts: Typed, there: Typed): boolean =>
  Object.entries(texts).some(([field, text]) => text !== there[field]);

/**
 * Writes texts into the fields of the same names, with an input event, so that their counters follow. With `only`, a field is written only if it
 * still holds that value: a text typed before hydration is newer. Returns whether anything changed.
 */
export function fill(fields: readonly TextField[], texts: Typed, only?: Typed): boolean {
  let isChanged = false;
  for (const field of fields) {
    const text = texts[field.name];
    if (typeof text !== 'string' || text === field.value) continue;
    if (only && field.value !== only[field.name]) continue;
    // An option that no longer exists.
    if ('options' in field && ![...field.options].some(({ value }) => value === text)) continue;
    field.value = text;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    isChanged = true;
  }
  return isChanged;
}
