import { z } from 'zod';
import { integerText } from '#lib/core/input/integer-text.ts';
import { DEFAULT_SEARCH_LIMIT, MAX_QUESTION_LENGTH, MAX_SEARCH_LIMIT } from '../limits.ts';
import {
  ignoredWords,
  neighbours,
  pillarRole,
  role,
  searchText,
  source,
  timestamp,
  unmatchedWords,
} from './fields.ts';

export const searchQuery = z.strictObject({
  q: searchText.meta({
    override: { type: 'string', minLength: 1, maxLength: MAX_QUESTION_LENGTH },
    description: 'Ce qui est cherché, en mots ou en question\u00a0; les 30 premiers mots différents comptent',
    example: 'ton de la marque',
  }),
  spaceId: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .meta({ description: 'L’espace où chercher, par son identifiant\u00a0; par défaut tous' }),
  pillar: pillarRole
    .optional()
    .meta({ description: 'Le pilier où chercher, par son rôle\u00a0; par défaut les cinq' }),
  limit: integerText
    .pipe(z.number().min(1).max(MAX_SEARCH_LIMIT))
    .optional()
    .meta({
      override: { type: 'integer', minimum: 1, maximum: MAX_SEARCH_LIMIT, default: DEFAULT_SEARCH_LIMIT },
      description: 'Combien de résultats',
    }),
});

export const searchSchema = z
  .object({
    object: z.literal('list'),
    query: z.string().meta({ description: 'La recherche normalisée, espaces réduits' }),
    data: z.array(
      z.object({
        object: z.literal('search_result'),
        spaceId: z.string(),
        spaceName: z.string(),
        memoryId: z.string(),
        pillar: role,
        pillarLabel: z.string(),
        title: z.string(),
        snippet: z.string().meta({
          description:
            'Un extrait du texte autour de ce qui répond, de 240 caractères au plus\u00a0; «\u00a0…\u00a0» où il est coupé',
        }),
        source,
        score: z
          .number()
          .meta({ description: 'Compare les résultats d’une même recherche, et rien d’autre' }),
        updatedAt: timestamp,
        ...neighbours,
      }),
    ),
    ignoredWords,
    unmatchedWords,
  })
  .meta({ id: 'SearchResults' });
