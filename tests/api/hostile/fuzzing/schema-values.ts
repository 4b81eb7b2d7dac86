import { z } from 'zod';

type JsonSchema = {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  minItems?: number;
  minimum?: number;
  format?: string;
  example?: unknown;
  pattern?: string;
  default?: unknown;
};

/** A value that a schema accepts in its shape, and the places of its texts that no value before it had. */
export type Shaped = { value: unknown; places: string[][] };

/**
 * Values that a schema accepts in their shape, every optional field given: one for each branch of a union at its top, then one for each
 * other branch of a union within (a reference as `{generationId, file}`). Between them they have every text of every branch.
 */
export function shapesOf(schema: z.ZodType): Shaped[] {
  return branches(jsonSchemaOf(schema)).flatMap((one) => {
    const seen = new Set<string>();
    return examplesOf(one).flatMap((value, index) => {
      const places = textPlaces(value).filter((place) => !seen.has(place.join('.')));
      for (const place of places) seen.add(place.join('.'));
      return index === 0 || places.length > 0 ? [{ value, places }] : [];
    });
  });
}

/** One such value for each branch at the top. */
export function valuesOf(schema: z.ZodType): unknown[] {
  return branches(jsonSchemaOf(schema)).map((one) => examplesOf(one)[0]);
}

function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const json = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ jsonSchema }) => {
      const { override } = jsonSchema as { override?: object };
      if (override) Object.assign(jsonSchema, override);
    },
  }) as JsonSchema;
  return json;
}

const branches = (schema: JsonSchema): JsonSchema[] =>
  (schema.oneOf ?? schema.anyOf ?? [schema]).flatMap((one) => (one === schema ? [one] : branches(one)));

/** The first branch of every union, then each other branch of each, with the first of all others around it. */
function examplesOf(given: JsonSchema): unknown[] {
  const all = branches(given);
  return all.length > 1 ? all.flatMap(examplesOfOne) : examplesOfOne(all[0] ?? given);
}

function examplesOfOne(schema: JsonSchema): unknown[] {
  if (schema.example !== undefined) return [schema.example];
  if (schema.const !== undefined) return [schema.const];
  if (schema.enum) return [schema.enum[0]];
  switch ([schema.type].flat()[0]) {
    case 'string':
      return [schema.format === 'date' ? '2026-01-01' : 'texte'];
    case 'integer':
    case 'number':
      return [Math.max(schema.minimum ?? 1, -10)];
    case 'boolean':
      return [true];
    case 'null':
      return [null];
    case 'array':
      return examplesOf(schema.items ?? {}).map((item) => [item]);
    case 'object': {
      const open = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : null;
      const children = { ...schema.properties, ...(open ? { cle: open } : {}) };
      const examples = Object.entries(children).map(([name, child]) => [name, examplesOf(child)] as const);
      const first = Object.fromEntries(examples.map(([name, [one]]) => [name, one]));
      const others = examples.flatMap(([name, [, ...rest]]) =>
        rest.map((one) => ({ ...first, [name]: one })),
      );
      return [first, ...others];
    }
    default:
      return [{ profond: ['texte'] }];
  }
}

/** Every place of a value that holds a text, as the dotted path that a refusal names. */
export function textPlaces(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value === 'string') return [[...path]];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, child]) => textPlaces(child, [...path, key]));
}

/** The value with another text at one place. */
export function withText(value: unknown, path: readonly string[], text: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return text;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  copy[key] = withText(copy[key], rest, text);
  return copy;
}
