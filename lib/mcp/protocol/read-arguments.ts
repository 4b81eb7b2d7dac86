/** What a tool announces of its arguments, as far as their form is concerned. */
export type AnnouncedArguments = {
  properties?: Readonly<Record<string, Form>>;
  required?: readonly string[];
};

type Form = { type?: unknown; enum?: readonly unknown[]; items?: Form };

/**
 * Arguments as models write them, in the form that was announced: an optional one that is null is left out, a whole number between quotes is a
 * number, a list written with commas, as the REST twin takes it, is a list, one of several values is itself in any case (`items` for `ITEMS`). All else stays as it came,
 * for the tool to judge.
 */
export function readArguments(announced: AnnouncedArguments, given: unknown): unknown {
  const { properties = {}, required = [] } = announced;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const entries = Object.entries(given).flatMap(([name, value]): [string, unknown][] => {
    if (!Object.hasOwn(properties, name)) return [[name, value]];
    if (value === null && !required.includes(name)) return [];
    return [[name, inForm(value, properties[name] ?? {})]];
  });
  return Object.fromEntries(entries);
}

function inForm(value: unknown, form: Form): unknown {
  const { type, items } = form;
  if (type === 'array') {
    const list: unknown = typeof value === 'string' ? value.split(',').map((part) => part.trim()) : value;
    return Array.isArray(list) && items ? list.map((one: unknown) => inForm(one, items)) : list;
  }
  if (typeof value !== 'string') return value;
  if (type === 'integer' && /^[+-]?\d{1,15}$/.test(value)) return Number(value);
  return amongValues(value, form.enum ?? []);
}

function amongValues(value: string, values: readonly unknown[]): unknown {
  if (values.includes(value)) return value;
  const wanted = value.trim().toLowerCase();
  return values.find((one) => typeof one === 'string' && one.toLowerCase() === wanted) ?? value;
}
