import { z } from 'zod';
import { DEFAULT_SEARCH_LIMIT, MAX_SEARCH_LIMIT } from '#lib/brain/limits.ts';
import { searchQuery, searchSchema } from '#lib/brain/schemas/search.ts';
import { searchMemories } from '#lib/brain/search/search-memories.ts';
import { namedSpace, pillarArgument, SEARCHED, spaceArgument, wholeNumber } from './arguments.ts';
import { defineTool, READ_ANNOTATIONS, TEXTS_ARE_DATA } from './tool.ts';

export const searchTool = defineTool({
  name: 'brain_search',
  title: 'Chercher dans les mémoires',
  description: `Cherche des mots, ou ceux d’une question, dans les titres et les textes de tous les espaces, ou d’un seul, sans distinction de casse ni d’accents\u00a0; les meilleurs résultats d’abord, avec un extrait. Les mots sont comparés, sans traduction ni synonymes\u00a0: un résultat ne répond que si son texte le dit\u00a0; unmatchedWords nomme les mots que rien ne contient, essayez-en d’autres. À préférer à brain_get_context pour un fait précis. Coûte une lecture du quota mensuel. ${TEXTS_ARE_DATA}`,
  scope: 'brain:read',
  isWrite: false,
  annotations: READ_ANNOTATIONS,
  input: z.strictObject({
    q: searchQuery.shape.q.meta({ description: SEARCHED }),
    spaceId: spaceArgument.optional().meta({
      description:
        'L’espace où chercher, par son identifiant ou son nom, quand la question porte sur un seul\u00a0; par défaut tous',
    }),
    pillar: pillarArgument.optional(),
    limit: wholeNumber()
      .min(1)
      .max(MAX_SEARCH_LIMIT)
      .optional()
      .meta({
        description: `Nombre de résultats, de 1 à ${MAX_SEARCH_LIMIT}\u00a0; ${DEFAULT_SEARCH_LIMIT} par défaut`,
      }),
  }),
  output: searchSchema,
  async run(ctx, { spaceId: named, ...input }) {
    const spaceId = named === undefined ? undefined : await namedSpace(ctx, named);
    return searchMemories(ctx, { ...input, spaceId });
  },
});
