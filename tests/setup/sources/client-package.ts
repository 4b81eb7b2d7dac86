import { execFile } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { repositoryRoot } from '#lib/local/paths.ts';

const run = promisify(execFile);

/** The folder of the published client. */
export const clientFolder = path.join(repositoryRoot, 'packages/client');

type Operation = {
  operationId: string;
  security: Record<string, unknown>[];
  parameters?: { in: string; name: string }[];
  responses: Record<string, { content?: Record<string, unknown> }>;
};
export type OpenApiDocument = {
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
};

/** The types of an OpenAPI document, written by openapi-typescript with the client's own TypeScript. */
export async function typesOf(document: OpenApiDocument): Promise<string> {
  const tool = path.join(clientFolder, 'node_modules/openapi-typescript/dist/index.mjs');
  const {
    default: write,
    astToString,
    COMMENT_HEADER,
  } = (await import(pathToFileURL(tool).href)) as {
    default: (document: unknown) => Promise<unknown>;
    astToString: (ast: unknown) => string;
    COMMENT_HEADER: string;
  };
  return COMMENT_HEADER + astToString(await write(structuredClone(document)));
}

/** What the client needs to know about each operation at run time, as source text. */
export function operationsTable(documents: readonly OpenApiDocument[]): string {
  const rows = documents.flatMap((document) =>
    Object.entries(document.paths).flatMap(([address, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        const headers = (operation.parameters ?? [])
          .filter((parameter) => parameter.in === 'header')
          .map(({ name }) => name);
        const opensBy = (way: string) => operation.security.some((one) => way in one);
        const bySession = opensBy('session') ? 'session' : 'token';
        const credential = opensBy('session') && opensBy('developerKey') ? 'either' : bySession;
        const takesIdempotencyKey = headers.includes('Idempotency-Key');
        const row = {
          method: method.toUpperCase(),
          path: new URL(document.servers[0]?.url ?? '').pathname.replace(/\/$/, '') + address,
          credential,
          answers: answersOf(operation),
          isConditional: headers.includes('If-None-Match'),
          takesIdempotencyKey,
          makesFile: takesIdempotencyKey && /\/(generations|relaunch)$/.test(address),
        };
        return `  ${operation.operationId}: ${JSON.stringify(row)},`;
      }),
    ),
  );
  return `// Written from the OpenAPI documents by \`npm run client\`.

export const OPERATIONS = {
${rows.join('\n')}
} as const;

export type OperationId = keyof typeof OPERATIONS;
`;
}

function answersOf({ responses }: Operation): string {
  const types = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content }]) => Object.keys(content ?? {}));
  return types.every((type) => type === 'application/json') ? 'application/json' : '*/*';
}

/** Builds the client and packs it as npm would publish it. Returns the path of the tarball. */
export async function packClient(into: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', into], { cwd: clientFolder });
  // The output of `prepack` comes before the list.
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('['))) as { filename: string }[];
  return path.join(into, packed?.filename ?? '');
}
