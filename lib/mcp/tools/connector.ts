import { z } from 'zod';
import { readMemory } from '#lib/brain/memories/read-memory.ts';
import { searchQuery } from '#lib/brain/schemas/search.ts';
import { searchMemories } from '#lib/brain/search/search-memories.ts';
import { SEARCHED } from './arguments.ts';
import { defineTool, READ_ANNOTATIONS, TEXTS_ARE_DATA } from './tool.ts';

/** Where a Memory opens in the cockpit, under an origin. */
function cockpitAddress(origin: string, memory: { id: string; spaceId: string }): string {
  return `${origin}/espaces/${encodeURIComponent(memory.spaceId)}?memoire=${encodeURIComponent(memory.id)}`;
}

/** `brain_search` under the name and in the shape that ChatGPT's connectors look for. */
export const connectorSearchTool = defineTool({
  name: 'search',
  title: 'Chercher (connecteur)',
  description:
    'La même recherche que brain_search, dans la forme des connecteurs de ChatGPT\u00a0: identifiants, titres et adresses des mémoires, les meilleures d’abord. Lisez ensuite chacune avec fetch. Coûte une lecture du quota mensuel.',
  scope: 'brain:read',
  isWrite: false,
  annotations: READ_ANNOTATIONS,
  input: z.strictObject({
    query: searchQuery.shape.q.meta({ description: SEARCHED }),
  }),
  output: z.object({
    results: z.array(z.object({ id: z.string(), title: z.string(), url: z.string() })),
  }),
  async run(ctx, { query }, { origin }) {
    const { data } = await searchMemories(ctx, { q: query });
    const results = data.map(({ memoryId, spaceId, title }) => ({
      id: memoryId,
      title,
      url: cockpitAddress(origin, { id: memoryId, spaceId }),
    }));
    return { results };
  },
});

/** `brain_get_memory` under the name and in the shape that ChatGPT's connectors look for. */
export const connectorFetchTool = defineTool({
  name: 'fetch',
  title: 'Lire (connecteur)',
  description: `La même lecture que brain_get_memory, dans la forme des connecteurs de ChatGPT\u00a0: le texte entier d’une mémoire trouvée par search. Coûte une lecture du quota mensuel. ${TEXTS_ARE_DATA}`,
  scope: 'brain:read',
  isWrite: false,
  annotations: READ_ANNOTATIONS,
  input: z.strictObject({
    id: z.string().min(1).max(64).meta({ description: 'Identifiant de la mémoire, donné par search' }),
  }),
  output: z.object({
    id: z.string(),
    title: z.string(),
    text: z.string(),
    url: z.string(),
    metadata: z.object({
      spaceId: z.string(),
      pillar: z.string(),
      kind: z.string(),
      source: z.string(),
      updatedAt: z.string(),
    }),
  }),
  async run(ctx, { id }, { origin }) {
    const { title, body, spaceId, pillar, kind, source, updatedAt } = await readMemory(ctx, { memoryId: id });
    return {
      id,
      title,
      text: body,
      url: cockpitAddress(origin, { id, spaceId }),
      metadata: { spaceId, pillar, kind, source, updatedAt },
    };
  },
});
