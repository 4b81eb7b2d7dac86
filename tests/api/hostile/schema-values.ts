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

/** Values that a schema accepts in their shape, every optional field given: one for each branch of a union. */
export function valuesOf(schema: z.ZodType): unknown[] {
  const json = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ jsonSchema }) => {
      const { override } = jsonSchema as { override?: object };
      if (override) Object.assign(jsonSchema, override);
    },
  }) as JsonSchema;
  return branches(json).map(exampleOf);
}

const branches = (schema: JsonSchema): JsonSchema[] =>
  (schema.oneOf ?? schema.anyOf ?? [schema]).flatMap((one) => (one === schema ? [one] : branches(one)));

function exampleOf(given: JsonSchema): unknown {
  const [schema = given] = branches(given);
  if (schema.example !== undefined) return schema.example;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  switch ([schema.type].flat()[0]) {
    case 'string':
      return schema.format === 'date' ? '2026-01-01' : 'texte';
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, -10);
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array':
      return [exampleOf(schema.items ?? {})];
    case 'object': {
      const open = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : null;
      return {
        ...Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, child]) => [name, exampleOf(child)]),
        ),
        ...(open ? { cle: exampleOf(open) } : {}),
      };
    }
    default:
      return { profond: ['texte'] };
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
