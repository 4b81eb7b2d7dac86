import { z } from 'zod';
import { readMemory } from '#lib/brain/memories/read-memory.ts';
import { memoryWithNeighboursSchema } from '#lib/brain/schemas/memories.ts';
import { partOf } from '#lib/brain/text/part-of.ts';
import { visiblePayload } from '../protocol/visible-payload.ts';
import { wholeNumber } from './arguments.ts';
import { defineTool, READ_ANNOTATIONS, TEXTS_ARE_DATA } from './tool.ts';

/** More characters than any Memory has. */
const MAX_CHARS = 200_000;
/** The least that is worth a read. */
const MIN_CHARS = 200;

export const getMemoryTool = defineTool({
  name: 'brain_get_memory',
  title: 'Lire une mémoire entière',
  description: `Lit le texte entier d’une mémoire, avec celle sous laquelle elle est rangée et celles qu’elle contient. À appeler après brain_search quand l’extrait ne suffit pas. Un texte trop long pour vous se lit par morceaux\u00a0: maxChars, puis from. Coûte une lecture du quota mensuel. ${TEXTS_ARE_DATA}`,
  scope: 'brain:read',
  isWrite: false,
  annotations: READ_ANNOTATIONS,
  input: z.strictObject({
    memoryId: z
      .string()
      .min(1)
      .max(64)
      .meta({ description: 'Identifiant de la mémoire, donné par brain_search ou brain_get_context' }),
    maxChars: wholeNumber().min(MIN_CHARS).max(MAX_CHARS).optional().meta({
      description:
        'Longueur maximale du texte rendu, de 200 à 200 000 caractères\u00a0; absent, tout le texte',
    }),
    from: wholeNumber().min(0).max(MAX_CHARS).optional().meta({
      description: 'Où reprendre, en caractères\u00a0: le nextFrom de la réponse d’avant',
    }),
  }),
  output: memoryWithNeighboursSchema.extend({
    bodyChars: z.int().optional().meta({
      description:
        'Longueur du texte entier, quand un morceau est demandé\u00a0; from et nextFrom la comptent de même',
    }),
    nextFrom: z
      .int()
      .nullable()
      .optional()
      .meta({ description: 'Où reprendre\u00a0; nul quand le texte est fini' }),
  }),
  async run(ctx, { memoryId, maxChars, from }) {
    const memory = await readMemory(ctx, { memoryId });
    if (maxChars === undefined && from === undefined) return memory;
    // Cut after invisible characters are removed, and not filtered again: a part may end after a joiner, which is kept only between two characters.
    const whole = visiblePayload(memory);
    return JSON.stringify({ ...whole, ...partOf(whole.body, from ?? 0, maxChars ?? MAX_CHARS) });
  },
});
