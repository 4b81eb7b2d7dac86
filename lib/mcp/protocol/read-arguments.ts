/** What a tool announces of its arguments, as far as their form is concerned. */
export type AnnouncedArguments = {
  properties?: Readonly<Record<string, { type?: unknown }>>;
  required?: readonly string[];
};

/**
 * Arguments as models write them, in the form that was announced: an optional one that is null is left out, a whole number between quotes is a
 * number, a list written with commas, as the REST twin takes it, is a list. All else stays as it came, for the tool to judge.
 */
export function readArguments(announced: AnnouncedArguments, given: unknown): unknown {
  const { properties = {}, required = [] } = announced;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const entries = Object.entries(given).flatMap(([name, value]): [string, unknown][] => {
    if (!Object.hasOwn(properties, name)) return [[name, value]];
    if (value === null && !required.includes(name)) return [];
    return [[name, inForm(value, properties[name]?.type)]];
  });
  return Object.fromEntries(entries);
}

function inForm(value: unknown, type: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (type === 'integer' && /^[+-]?\d{1,15}$/.test(value)) return Number(value);
  return type === 'array' ? value.split(',').map((part) => part.trim()) : value;
}
