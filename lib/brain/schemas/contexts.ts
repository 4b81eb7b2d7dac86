import { z } from 'zod';
import { integerText } from '#lib/core/input/integer-text.ts';
import { DEFAULT_CONTEXT_CHARS, MAX_QUESTION_LENGTH } from '../limits.ts';
import { PILLAR_ROLES } from '../templates.ts';
import {
  ignoredWords,
  kind,
  PILLAR_INVALID,
  role,
  searchText,
  source,
  template,
  unmatchedWords,
} from './fields.ts';

export const contextQuery = z.strictObject({
  pillars: z
    .string()
    .transform((text, check) => {
      const asked = text.split(',').map((part) => part.trim());
      if (asked.some((part) => !(PILLAR_ROLES as readonly string[]).includes(part)))
        check.addIssue({ code: 'custom', message: PILLAR_INVALID, params: { code: 'pillar_invalid' } });
      return PILLAR_ROLES.filter((one) => asked.includes(one));
    })
    .optional()
    .meta({
      override: { type: 'string' },
      description: 'Rôles séparés par des virgules\u00a0; par défaut les cinq',
      example: 'IDENTITY,GUIDELINES',
    }),
  maxChars: integerText.optional().meta({
    override: { type: 'integer', default: DEFAULT_CONTEXT_CHARS },
    description:
      'Longueur maximale du texte\u00a0; ramenée entre 200 et 200 000, la réponse dit la valeur appliquée',
  }),
  q: searchText.optional().meta({
    override: { type: 'string', minLength: 1, maxLength: MAX_QUESTION_LENGTH },
    description:
      'Ce dont il est question\u00a0: la place va aux mémoires qui y répondent, entières ou par leurs passages\u00a0; absent, tout l’espace',
    example: 'combien de temps la lampe est-elle garantie',
  }),
});

export const contextSchema = z
  .object({
    object: z.literal('context'),
    space: z.object({ id: z.string(), name: z.string(), template, templateLabel: z.string() }),
    pillars: z.array(
      z.object({
        role,
        label: z.string(),
        note: z.string(),
        memories: z.array(
          z.object({
            id: z.string(),
            parentId: z.string().nullable(),
            depth: z.int(),
            kind,
            title: z.string(),
            body: z.string(),
            truncated: z.boolean().meta({
              description:
                'Vrai quand le texte est coupé («\u00a0…\u00a0» marque où) ou, faute de place, absent',
            }),
            source,
          }),
        ),
      }),
    ),
    context: z.string().meta({ description: 'Texte prêt pour un prompt, jamais plus long que maxChars' }),
    maxChars: z.int(),
    truncated: z
      .boolean()
      .meta({ description: 'Vrai quand une mémoire est coupée ou manque, faute de place' }),
    omittedMemories: z.int().meta({ description: 'Mémoires qui manquent, faute de place' }),
    ignoredWords,
    unmatchedWords,
  })
  .meta({ id: 'Context' });

export const contextTextSchema = z.object({ context: z.string(), truncated: z.boolean() });
