import { type McpServer, ResourceTemplate, type ServerContext } from '@modelcontextprotocol/server';
import { completeSpace } from '#lib/brain/queries/find-space.ts';
import { type Entry, listEntries } from '#lib/brain/queries/list-entries.ts';
import { withoutInvisible } from '#lib/core/text/invisible.ts';
import { plural } from '#lib/core/text/plural.ts';
import type { McpHost } from '../protocol/host.ts';
import { withProtocolErrors } from '../protocol/protocol-refusal.ts';
import {
  AddressTemplate,
  CONTEXT_TEMPLATE,
  MEMORY_TEMPLATE,
  memoryAddress,
  type Named,
  SPACE_TEMPLATE,
  spaceAddress,
} from './addresses.ts';
import { MARKDOWN, readResource, spaceParts } from './read-resource.ts';

/** The resource templates: one for each kind of address. */
export const RESOURCE_TEMPLATES: {
  name: string;
  kind: Named['kind'];
  template: string;
  title: string;
  description: string;
}[] = [
  {
    name: 'contexte',
    kind: 'context',
    template: CONTEXT_TEMPLATE,
    title: 'Contexte d’un espace',
    description:
      'Ce que sait un espace, en un texte prêt pour un prompt. q\u00a0: ce dont il est question\u00a0; maxChars\u00a0: sa longueur, de 200 à 200 000, 16 000 par défaut\u00a0; pillars\u00a0: IDENTITY, GUIDELINES, KNOWLEDGE, ITEMS, PEOPLE, séparés par des virgules. L’espace est donné par son identifiant ou son nom. Coûte une lecture.',
  },
  {
    name: 'espace',
    kind: 'space',
    template: SPACE_TEMPLATE,
    title: 'Espace',
    description: 'Le contexte d’un espace, à la longueur par défaut. Coûte une lecture.',
  },
  {
    name: 'memoire',
    kind: 'memory',
    template: MEMORY_TEMPLATE,
    title: 'Mémoire',
    description: 'Le texte entier d’une mémoire. Coûte une lecture.',
  },
];

/** Registers the account's Spaces and Memories on a server as resources: a paged list, three templates, reading and completion. */
export function registerResources(server: McpServer, host: McpHost): void {
  for (const { name, kind, template, title, description } of RESOURCE_TEMPLATES) {
    const complete =
      kind === 'memory' ? {} : { complete: { space: (typed: string) => completions(host, typed) } };
    server.registerResource(
      name,
      new ResourceTemplate(new AddressTemplate(template, kind), { list: undefined, ...complete }),
      { title, description, mimeType: MARKDOWN },
      (address: URL, _: unknown, { mcpReq }: ServerContext) =>
        withProtocolErrors(
          host,
          mcpReq.signal,
          async () => ({
            contents: [
              { uri: address.href, mimeType: MARKDOWN, text: await readResource(host, address.href) },
            ],
          }),
          address.href,
        ),
    );
  }
  // The SDK's own list of resources has no pages; this one reads the account.
  server.server.setRequestHandler('resources/list', ({ params }, { mcpReq }) =>
    withProtocolErrors(host, mcpReq.signal, async () => {
      const { entries, next } = await listEntries(host.context, params?.cursor);
      return { resources: entries.map(viewEntry), ...(next === null ? {} : { nextCursor: next }) };
    }),
  );
}

/** The names of Spaces that complete what was typed, all of them: the SDK answers with the first hundred, how many there are and `hasMore`. Consumes no read. */
export function completions(host: McpHost, typed: string): Promise<string[]> {
  return withProtocolErrors(host, undefined, async () => {
    if (typed !== '') host.validate(spaceParts, { space: typed });
    return (await completeSpace(host.context, typed)).map(withoutInvisible);
  });
}

function viewEntry(entry: Entry) {
  const annotations = { lastModified: entry.updatedAt.toISOString() };
  if (entry.kind === 'space') {
    const title = withoutInvisible(entry.name);
    const count = `${entry.memories.toLocaleString('fr-FR')} ${plural(entry.memories, 'mémoire')}`;
    return {
      uri: spaceAddress(entry.id),
      name: title,
      title,
      description: `Espace · ${count}`,
      mimeType: MARKDOWN,
      annotations,
    };
  }
  const title = withoutInvisible(entry.title);
  const description = withoutInvisible(`${entry.spaceName} · ${entry.pillarLabel}`);
  return { uri: memoryAddress(entry.id), name: title, title, description, mimeType: MARKDOWN, annotations };
}
