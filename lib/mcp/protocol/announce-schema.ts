import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';

type JsonSchema = Record<string, unknown>;

// Ids name shared components of the OpenAPI document; here each schema stands alone, written out.
const withoutIds = {
  get(schema: z.ZodType) {
    const { id: _, ...meta } = (z.globalRegistry.get(schema) ?? {}) as Record<string, unknown>;
    return meta;
  },
} as unknown as typeof z.globalRegistry;

/** JSON Schema of a zod object, with what its `meta.override` says where zod cannot know (transforms). */
function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    reused: 'inline',
    metadata: withoutIds,
    override: ({ jsonSchema }) => {
      const { override, ...plain } = jsonSchema as JsonSchema & { override?: JsonSchema };
      for (const key of Object.keys(jsonSchema)) delete (jsonSchema as JsonSchema)[key];
      Object.assign(jsonSchema, plain, override);
    },
  });
  return portable(json) as JsonSchema;
}

/**
 * The same schema in the spelling that every model provider reads: one type per place (several become branches), and no
 * bound that only says « a safe integer ».
 */
function portable(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(portable);
  if (typeof node !== 'object' || node === null) return node;
  const kept = Object.entries(node).filter(
    ([key, value]) =>
      !((key === 'minimum' || key === 'maximum') && Math.abs(value as number) === Number.MAX_SAFE_INTEGER),
  );
  const { type, ...rest } = Object.fromEntries(kept.map(([key, value]) => [key, portable(value)]));
  // Redundant with the format, which is shorter.
  if (rest.format === 'date-time') delete rest.pattern;
  if (!Array.isArray(type)) return type === undefined ? rest : { type, ...rest };
  const { description, ...constraints } = rest;
  return {
    anyOf: type.map((one) => (one === 'null' ? { type: one } : { type: one, ...constraints })),
    ...(description === undefined ? {} : { description }),
  };
}

/**
 * A schema as the protocol announces it. `checked: false` lets any value through: the tool judges its arguments itself, so
 * that a refusal is ours, in French, with its advice.
 */
export function announceSchema(
  schema: z.ZodType,
  options: { checked: boolean },
): StandardSchemaWithJSON<unknown, unknown> {
  let input: JsonSchema | undefined;
  let output: JsonSchema | undefined;
  return {
    '~standard': {
      version: 1,
      vendor: 'atelier',
      validate: options.checked ? (value) => schema['~standard'].validate(value) : (value) => ({ value }),
      jsonSchema: {
        input: () => (input ??= jsonSchemaOf(schema, 'input')),
        output: () => (output ??= jsonSchemaOf(schema, 'output')),
      },
    },
  };
}
