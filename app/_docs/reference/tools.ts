import { announceSchema } from '#lib/mcp/protocol/announce-schema.ts';
import { TOOLS } from '#lib/mcp/register-tools.ts';
import { RESOURCE_TEMPLATES } from '#lib/mcp/resources/register-resources.ts';
import type { McpTool } from '#lib/mcp/tools/tool.ts';
import { SCOPE_WORDS } from '#lib/messages/scopes.ts';
import { toolCall } from '../examples/all.ts';
import { PROMPT_EXAMPLES, RESOURCE_EXAMPLES } from '../examples/tools.ts';
import { type DocSection, fence, samples, table, text } from '../writing/page.ts';
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

/** What an assistant may read by its address, and the prompts that it may offer to a person. */
export function resourceSections(): DocSection[] {
  const example = (method: string, params: unknown) =>
    fence('json MCP', JSON.stringify({ method, params }, null, 2));
  return [
    {
      id: 'ressources',
      title: 'Ressources',
      level: 2,
      text: text(
        'Un assistant qui sait choisir des ressources liste les espaces et les mémoires, les lit par leur adresse, et complète le nom d’un espace. Lister et compléter ne coûtent rien.',
        table(
          ['Adresse', 'Ce qu’elle donne'],
          RESOURCE_TEMPLATES.map(({ template, description }) => [`\`${template}\``, description]),
        ),
      ),
    },
    ...RESOURCE_TEMPLATES.map(({ name, title }) => ({
      id: `ressource-${name}`,
      title,
      level: 3 as const,
      text: example('resources/read', { uri: RESOURCE_EXAMPLES[name] }),
    })),
    {
      id: 'consignes',
      title: 'Consignes prêtes',
      level: 2,
      text: 'Des prompts que l’assistant propose à la personne, avec l’identité et la charte de l’espace, et ce qu’il sait du sujet.',
    },
    ...Object.entries(PROMPT_EXAMPLES).map(([name, prompt]) => ({
      id: name,
      title: prompt.title,
      level: 3 as const,
      text: text(
        `\`${name}\``,
        prompt.description,
        example('prompts/get', { name, arguments: prompt.arguments }),
      ),
    })),
  ];
}
