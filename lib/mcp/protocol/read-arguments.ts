/** What a tool announces of its arguments, as far as their form is concerned. */
export type AnnouncedArguments = {
  properties?: Readonly<Record<string, Form>>;
  required?: readonly string[];
};

type Form = { type?: unknown; enum?: readonly unknown[]; items?: Form };

/**
 * Arguments as models and forms write them, in the form that was announced: an optional one that is null, blank or an empty list is left out,
 * a whole number between quotes is a number, a list written with commas, as the REST twin takes it, or as JSON between quotes is a list, one
 * of several values is itself in any case (`items` for `ITEMS`). All else stays as it came, for the tool to judge.
 */
export function readArguments(announced: AnnouncedArguments, given: unknown): unknown {
  const { properties = {}, required = [] } = announced;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const entries = Object.entries(given).flatMap(([name, value]): [string, unknown][] => {
    if (!Object.hasOwn(properties, name)) return [[name, value]];
    const read = inForm(value, properties[name] ?? {});
    return isLeftOut(read) && !required.includes(name) ? [] : [[name, read]];
  });
  return Object.fromEntries(entries);
}

/** Many a model fills in every argument that is announced, and many a form sends every field that it shows. */
function isLeftOut(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return value === null || (Array.isArray(value) && value.length === 0);
}

function inForm(value: unknown, form: Form): unknown {
  const { type, items } = form;
  if (type === 'array') {
    const list: unknown = typeof value === 'string' ? listIn(value) : value;
    return Array.isArray(list) && items ? list.map((one: unknown) => inForm(one, items)) : list;
  }
  if (typeof value !== 'string') return value;
  if (type === 'integer' && /^[+-]?\d{1,15}$/.test(value)) return Number(value);
  return amongValues(value, form.enum ?? []);
}

function listIn(text: string): unknown[] {
  if (text.trim() === '') return [];
  return jsonList(text) ?? text.split(',').map((part) => part.trim());
}

function jsonList(text: string): unknown[] | null {
  if (!text.trimStart().startsWith('[')) return null;
  try {
    return JSON.parse(text) as unknown[];
  } catch {
    return null;
  }
}

function amongValues(value: string, values: readonly unknown[]): unknown {
  if (values.includes(value)) return value;
  const wanted = value.trim().toLowerCase();
  return values.find((one) => typeof one === 'string' && one.toLowerCase() === wanted) ?? value;
}
