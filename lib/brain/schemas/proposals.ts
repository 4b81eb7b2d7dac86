import { z } from 'zod';
import { atMostUnits } from '#lib/core/text/text-length.ts';
import { MAX_NOTE_LENGTH } from '../proposals/proposal-rules.ts';
import { pillarRole, timestamp } from './fields.ts';
import { addMemoryBody } from './memories.ts';

const note = z
  .string()
  .refine(...atMostUnits(MAX_NOTE_LENGTH))
  .optional()
  .meta({ description: 'Pourquoi, pour qui décidera\u00a0; 500 caractères au plus' });

const id = z.string().min(1).max(64);

export const proposeMemoryBody = z.strictObject({
  memoryId: id
    .optional()
    .meta({ description: 'La mémoire à changer\u00a0; sans elle, une nouvelle est proposée' }),
  spaceId: id.optional().meta({ description: 'Pour une nouvelle mémoire\u00a0: l’espace où elle irait' }),
  pillar: pillarRole.optional(),
  title: addMemoryBody.shape.title,
  body: addMemoryBody.shape.body,
  note,
});

export const proposalSchema = z.object({
  object: z.literal('proposal'),
  id: z.string(),
  state: z.enum(['waiting', 'refused']),
  spaceId: z.string(),
  memoryId: z.string().nullable(),
  reason: z.string().nullable().meta({ description: 'Ce qu’un membre a dit en la refusant' }),
  expiresAt: timestamp,
  message: z.string().meta({ description: 'Ce qu’il en est, en une phrase' }),
});
