import { z } from 'zod';
import { readMemory } from '#lib/brain/memories/read-memory.ts';
import { memoryWithNeighboursSchema } from '#lib/brain/schemas/memories.ts';
import { cutAt } from '#lib/brain/text/cut.ts';
import { wholeNumber } from './arguments.ts';
import { defineTool, READ_ANNOTATIONS, TEXTS_ARE_DATA } from './tool.ts';

/** More characters than any Memory has. */
const MAX_CHARS = 200_000;
/** Less is not worth a read. */
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
    bodyChars: z
      .int()
      .optional()
      .meta({ description: 'Longueur du texte entier, quand un morceau est demandé' }),
    nextFrom: z
      .int()
      .nullable()
      .optional()
      .meta({ description: 'Où reprendre\u00a0; nul quand le texte est fini' }),
  }),
  async run(ctx, { memoryId, maxChars, from }) {
    const memory = await readMemory(ctx, { memoryId });
    if (maxChars === undefined && from === undefined) return memory;
    const { body } = memory;
    const start = characterStart(body, from ?? 0);
    const end = endOf(body, start, maxChars ?? MAX_CHARS);
    const nextFrom = end < body.length ? end : null;
    return { ...memory, body: body.slice(start, end), bodyChars: body.length, nextFrom };
  },
});

/** The start of the character at `index`, never between its two halves; the end of the text past it. */
function characterStart(body: string, index: number): number {
  const unit = body.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff ? Math.max(0, index - 1) : Math.min(index, body.length);
}

/**
 * Where a part of at most `length` units ends: at a word, or between two characters as they are read; between two code points of one that is
 * longer than a part. Each part goes further than the one before.
 */
function endOf(body: string, start: number, length: number): number {
  const most = Math.min(start + length, body.length);
  const { at } = cutAt(body, most);
  return at > start ? at : characterStart(body, most);
}
