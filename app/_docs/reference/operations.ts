import type { openApiDocument } from '#lib/http/openapi/document.ts';
import { OPERATION_EXAMPLES, toolCall, twinOf } from '../examples/all.ts';
import { type DocSection, samples } from '../writing/page.ts';
import { fieldsOf, type Schema, type Schemas, tableOf } from './fields.ts';

type Parameter = { in: string; name: string; required?: boolean; schema: Schema };
type Content = { content?: Record<string, { schema: Schema }> };
type Operation = {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content & { description: string }>;
};
type View = { method: string; path: string; operation: Operation };

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const PLACES: Record<string, string> = {
  path: 'dans l’adresse',
  query: 'dans la requête',
  header: 'en-tête',
};

/** Every operation of a document under the heading of its tag, written from the document that programs read: nothing is said twice. */
export function referenceSections(document: ReturnType<typeof openApiDocument>): DocSection[] {
  const schemas = (document.components?.schemas ?? {}) as Schemas;
  const byTag = Map.groupBy(operationsOf(document), ({ operation }) => operation.tags[0] ?? '');
  return [...byTag].flatMap(([tag, views]) => [
    {
      id: `tag-${tag
        .toLowerCase()
        .normalize('NFD')
        .replace(/[^a-z]/g, '')}`,
      title: tag,
      level: 2 as const,
      text: '',
    },
    ...views.map((view) => ({
      id: view.operation.operationId,
      title: view.operation.summary,
      level: 3 as const,
      text: wordsOf(view, schemas),
    })),
  ]);
}

function operationsOf(document: ReturnType<typeof openApiDocument>): View[] {
  const base = new URL(document.servers?.[0]?.url ?? '/', 'http://localhost').pathname.replace(/\/$/, '');
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method): View[] => {
      const operation = item?.[method] as Operation | undefined;
      return operation ? [{ method: method.toUpperCase(), path: base + path, operation }] : [];
    }),
  );
}

function wordsOf({ method, path, operation }: View, schemas: Schemas): string {
  const { operationId, description, parameters = [], requestBody, responses } = operation;
  const example = OPERATION_EXAMPLES[operationId];
  const twin = twinOf(operationId);
  const fields = parameters.map(({ name, required = false, schema, in: place }) => ({
    name,
    required,
    schema,
    ...(PLACES[place] ? { note: PLACES[place] } : {}),
  }));
  const body = Object.values(requestBody?.content ?? {})[0]?.schema;
  const answers = Object.entries(responses).filter(([status]) => status < '400');
  return [
    `\`${method} ${path}\``,
    description,
    samples({ curl: example?.curl, TypeScript: example?.typescript, MCP: twin && toolCall(twin) }),
    ...tableOf('Paramètres', fields, schemas),
    ...(body ? fieldsOf('Corps', body, schemas) : []),
    ...answers.flatMap((answer) => answerWords(answer, schemas)),
    refusals(responses),
  ]
    .filter((block) => block !== '')
    .join('\n\n');
}

function answerWords(
  [status, { description, content }]: [string, Operation['responses'][string]],
  schemas: Schemas,
): string[] {
  const schema = content?.['application/json']?.schema;
  const files = content && !schema ? Object.keys(content).map((type) => `\`${type}\``) : [];
  const tables = schema ? fieldsOf(`Réponse ${status}\u00a0: ${description}`, schema, schemas) : [];
  if (tables.length > 0) return tables;
  return [`**Réponse ${status}**\u00a0: ${[description, files.join(' ou ')].filter(Boolean).join(', ')}`];
}

function refusals(responses: Operation['responses']): string {
  const codes = Object.entries(responses)
    .filter(([status]) => status >= '400')
    .flatMap(([status, { description }]) =>
      [...description.matchAll(/^`([\w-]+)`/gm)].map(
        ([, code]) => `[\`${code}\`](/docs/erreurs#${code}) ${status}`,
      ),
    );
  return codes.length > 0 ? `**Refus**\u00a0: ${codes.join(' · ')}` : '';
}
