import { z } from 'zod';
import { idempotencyKey } from '#lib/core/input/idempotency-key.ts';
import { isBlank } from '#lib/core/text/blank.ts';
import { atMostUnits } from '#lib/core/text/text-length.ts';
import { MAX_TITLE_LENGTH } from '../limits.ts';
import { fitsMemory } from '../text/fits-memory.ts';
import { kind, memoryCu, neighbours, pillarRole, role, similar, source, timestamp } from './fields.ts';

/** Title and body of a Memory typed in the cockpit: the API's limits, in the words of a form. */
export const memoryTitle = z
  .string()
  .transform((text) => text.trim())
  .pipe(
    z
      .string()
      .refine((text) => !isBlank(text), 'Donnez un titre\u00a0: c’est par lui que la mémoire sera retrouvée.')
      .refine(...atMostUnits(MAX_TITLE_LENGTH, `Le titre compte au plus ${MAX_TITLE_LENGTH} caractères.`)),
  );

const writtenBody = z.string().refine((text) => !isBlank(text), 'Écrivez le texte de la mémoire.');

export const BODY_TOO_LONG = 'Ce texte dépasse la taille d’une mémoire (124 Kio). Divisez-le en plusieurs.';

export const memoryBody = writtenBody.refine(fitsMemory, BODY_TOO_LONG);

/** Longest text that one may ask to divide, in UTF-16 code units. */
export const MAX_DIVIDED_LENGTH = 2_000_000;

/** A body that will be divided: each of its parts has the room of a Memory. */
export const dividedBody = writtenBody.refine(
  (text) => text.length <= MAX_DIVIDED_LENGTH,
  'Ce texte est trop long pour être divisé ici\u00a0: importez-le comme document.',
);

export const addMemoryBody = z
  .strictObject({
    pillar: pillarRole,
    title: z
      .string()
      .transform((text) => text.trim())
      .pipe(
        z
          .string()
          .refine((text) => !isBlank(text), 'Il faut au moins un caractère qui se voit.')
          .refine(...atMostUnits(MAX_TITLE_LENGTH)),
      )
      .meta({
        override: { type: 'string', minLength: 1, maxLength: MAX_TITLE_LENGTH },
        description: 'Le titre, par lequel elle sera retrouvée',
        example: 'Ton de la marque',
      }),
    body: z.string().min(1).meta({
      description: 'Le texte de la mémoire',
      example: 'Nous vouvoyons, nous expliquons, nous ne crions jamais.',
    }),
    parentId: z
      .string()
      .min(1)
      .max(64)
      .nullish()
      .transform((value) => value ?? null)
      .meta({
        override: { type: ['string', 'null'] },
        description: 'Mémoire du même espace et du même pilier',
      }),
  })
  .meta({ id: 'AddMemory' });

export const idempotencyHeaders = z.object({ 'idempotency-key': idempotencyKey });

const memorySchema = z
  .object({
    object: z.literal('memory'),
    id: z.string(),
    spaceId: z.string(),
    pillar: role,
    parentId: z.string().nullable(),
    kind,
    title: z.string(),
    body: z.string(),
    source,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Memory' });

export const addedMemorySchema = memorySchema.extend({ similar }).meta({ id: 'AddedMemory' });

export const memoryWithNeighboursSchema = memorySchema
  .extend({
    sourceRef: z.string().nullable(),
    file: z.object({ name: z.string(), contentType: z.string(), bytes: z.int() }).nullable(),
    cu: memoryCu,
    ...neighbours,
  })
  .meta({ id: 'MemoryWithNeighbours' });

/** Answers of the cockpit's own routes. */
export const memoryDetailSchema = z
  .object({
    id: z.string(),
    spaceId: z.string(),
    pillar: role,
    parentId: z.string().nullable(),
    kind,
    title: z.string(),
    body: z.string(),
    source,
    sourceRef: z.string().nullable(),
    file: z.object({ name: z.string(), contentType: z.string(), bytes: z.int() }).nullable(),
    cu: memoryCu,
    version: z.int(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'MemoryDetail' });
