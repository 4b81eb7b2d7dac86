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
  return json;
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
