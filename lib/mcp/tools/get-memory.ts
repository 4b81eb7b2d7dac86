import { z } from 'zod';
import { readMemory } from '#lib/brain/memories/read-memory.ts';
import { memoryWithNeighboursSchema } from '#lib/brain/schemas/memories.ts';
import { defineTool, READ_ANNOTATIONS } from './tool.ts';

export const getMemoryTool = defineTool({
  name: 'brain_get_memory',
  title: 'Lire une mémoire entière',
  description:
    'Lit le texte entier d’une mémoire, avec celle sous laquelle elle est rangée et celles qu’elle contient. À appeler après brain_search quand l’extrait ne suffit pas. Coûte une lecture du quota mensuel.',
  scope: 'brain:read',
  isWrite: false,
  annotations: READ_ANNOTATIONS,
  input: z.strictObject({
    memoryId: z
      .string('Ce champ est obligatoire.')
      .min(1)
      .max(64)
      .meta({ description: 'Identifiant de la mémoire, donné par brain_search ou brain_get_context' }),
  }),
  output: memoryWithNeighboursSchema,
  run: (ctx, input) => readMemory(ctx, input),
});
