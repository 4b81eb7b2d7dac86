import { announceSchema } from '#lib/mcp/protocol/announce-schema.ts';
import { TOOLS } from '#lib/mcp/register-tools.ts';
import type { McpTool } from '#lib/mcp/tools/tool.ts';
import { SCOPE_WORDS } from '#lib/messages/scopes.ts';
import { toolCall } from '../examples/all.ts';
import { type DocSection, samples } from '../writing/page.ts';
import { fieldsOf, type Schema, tableOf } from './fields.ts';

/** Every tool that an assistant has, from what the server announces of it. */
export function toolSections(): DocSection[] {
  return TOOLS.map((tool) => ({
    id: tool.name,
    title: tool.title,
    level: 3,
    text: wordsOf(tool),
  }));
}

function wordsOf(tool: McpTool): string {
  const target = { target: 'draft-2020-12' } as const;
  const input = announceSchema(tool.input, { checked: false })['~standard'].jsonSchema.input(
    target,
  ) as Schema;
  const output = announceSchema(tool.output, { checked: true })['~standard'].jsonSchema.output(
    target,
  ) as Schema;
  const fields = Object.entries(input.properties ?? {}).map(([name, schema]) => ({
    name,
    schema,
    required: input.required?.includes(name) ?? false,
  }));
  return [
    `\`${tool.name}\``,
    tool.description,
    `Droit demandé\u00a0: \`${tool.scope}\` (${SCOPE_WORDS[tool.scope].label}).`,
    samples({ MCP: toolCall(tool.name) }),
    ...tableOf('Arguments', fields, {}),
    ...fieldsOf('Réponse', output, {}),
  ].join('\n\n');
}
