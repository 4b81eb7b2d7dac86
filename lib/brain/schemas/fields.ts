import { z } from 'zod';
import { atMostUnits } from '#lib/core/text/text-length.ts';
import { MAX_QUESTION_LENGTH } from '../limits.ts';
import { fold } from '../search/matching/fold.ts';
import {
  MEMORY_KINDS,
  MEMORY_SOURCES,
  PILLAR_ROLES,
  type PillarRole,
  SPACE_TEMPLATES,
} from '../templates.ts';

export const PILLAR_INVALID = 'Les cinq rôles sont IDENTITY, GUIDELINES, KNOWLEDGE, ITEMS et PEOPLE.';

export const timestamp = z.iso.datetime().meta({ example: '2026-11-21T09:30:00.000Z' });

export const pillarRole = z
  .unknown()
  .superRefine((value, check) => {
    if (value === undefined) check.addIssue({ code: 'custom', message: 'Ce champ est obligatoire.' });
    else if (!(PILLAR_ROLES as readonly unknown[]).includes(value))
      check.addIssue({ code: 'custom', message: PILLAR_INVALID, params: { code: 'pillar_invalid' } });
  })
  .transform((value) => value as PillarRole)
  .meta({
    override: { type: 'string', enum: [...PILLAR_ROLES] },
    description: 'Rôle du pilier, le même pour tous les types d’espace.',
  });

export const role = z.enum(PILLAR_ROLES);

export const source = z.enum(MEMORY_SOURCES);

export const kind = z.enum(MEMORY_KINDS);

export const template = z.enum(SPACE_TEMPLATES);

export const capacitySchema = z.object({
  usedCu: z.int().meta({ description: 'CU occupées dans le compte' }),
  capacityCu: z.int().meta({ description: 'Capacité active du compte, en CU' }),
});

/** Of a Space or a pillar. */
export const occupiedCu = z.int().meta({ description: 'CU que ses mémoires occupent' });

/** Of one Memory. */
export const memoryCu = z
  .int()
  .meta({ description: 'CU qu’elle occupe\u00a0: une par Kio commencé de titre et de texte' });

export const noQuery = z.strictObject({});

export const spacePath = z.object({ id: z.string().meta({ description: 'Identifiant de l’espace' }) });

export const memoryPath = z.object({ id: z.string().meta({ description: 'Identifiant de la mémoire' }) });

/** Of a read that can be asked for conditionally. */
export const conditionalHeaders = z.object({
  'if-none-match': z.string().optional().meta({ description: 'L’`ETag` de votre copie' }),
});

export const similar = z
  .array(
    z.object({
      id: z.string(),
      spaceId: z.string(),
      title: z.string(),
      similarity: z.number().min(0.6).max(1),
    }),
  )
  .max(3)
  .meta({
    description:
      'Mémoires du compte qui disent presque la même chose, les plus proches d’abord\u00a0; `similarity` est la part des suites de deux mots en commun, 1 pour le même texte aux espaces et à la casse près',
  });

const neighbour = z.object({ id: z.string(), title: z.string() });

export const neighbours = {
  parent: neighbour.nullable().meta({ description: 'La mémoire sous laquelle elle est rangée' }),
  children: z
    .array(neighbour)
    .meta({ description: 'Celles qu’elle contient, des plus anciennes aux plus récentes\u00a0; 50 au plus' }),
  childrenTruncated: z.boolean().optional().meta({
    description:
      'Vrai quand elle en contient d’autres que celles-là\u00a0: l’espace les nomme toutes, avec leur `parentId`. Absent sinon.',
  }),
};

/** A question of at least one word: signs alone would find nothing, and cost a read. */
export const searchText = z
  .string()
  .refine(...atMostUnits(MAX_QUESTION_LENGTH))
  .refine(
    (text) => text.length > MAX_QUESTION_LENGTH || fold(text) !== '',
    'Donnez au moins un mot à chercher.',
  );

/** Of the answer to a `searchText`. */
export const ignoredWords = z
  .array(z.string())
  .meta({
    description:
      'Les mots qui n’ont pas été cherchés\u00a0: les 30 premiers mots différents le sont, articles et autres mots-outils à part. Absent quand tous l’ont été.',
  })
  .optional();

/** Of the answer to a `searchText`. */
export const unmatchedWords = z
  .array(z.string())
  .meta({
    description:
      'Les mots qu’aucune mémoire ne contient, sous aucune forme\u00a0; d’autres, qui s’écrivent presque comme eux, ont pu répondre à leur place. Absent quand il n’y en a pas.',
  })
  .optional();
