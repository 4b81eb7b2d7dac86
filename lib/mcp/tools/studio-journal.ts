import { z } from 'zod';
import { getGeneration } from '#lib/studio/journal/get-generation.ts';
import { journalQuery, listGenerations } from '#lib/studio/journal/list-generations.ts';
import { wholeNumber } from './arguments.ts';
import { generationSummary, studioOf, summaryOf } from './studio-call.ts';
import { defineTool, READ_ANNOTATIONS } from './tool.ts';

export const studioStatusTool = defineTool({
  name: 'studio_status',
  title: 'Où en est une génération',
  description:
    'Le statut d’une génération du Studio, ce qu’elle a coûté et où la personne la voit. Tant qu’il est running, attendez 15 s avant de relire. Ne coûte rien.',
  scope: 'studio:read',
  isWrite: false,
  annotations: READ_ANNOTATIONS,
  input: z.strictObject({
    generationId: z
      .string()
      .min(1)
      .max(64)
      .meta({ description: 'Identifiant donné par studio_generate_image ou studio_journal' }),
  }),
  output: generationSummary,
  run: async (ctx, input, { origin }) => summaryOf(await getGeneration(studioOf(ctx), input), origin),
});

export const studioJournalTool = defineTool({
  name: 'studio_journal',
  title: 'Lire le journal du Studio',
  description:
    'Les générations du compte, la plus récente d’abord\u00a0; nextCursor, s’il n’est pas nul, donne la page d’après. Ne coûte rien.',
  scope: 'studio:read',
  isWrite: false,
  annotations: READ_ANNOTATIONS,
  input: z.strictObject({
    status: journalQuery.shape.status,
    limit: wholeNumber().min(1).max(50).default(10).meta({ description: 'De 1 à 50\u00a0; 10 par défaut' }),
    cursor: journalQuery.shape.cursor.meta({ description: 'Le `nextCursor` de la page d’avant' }),
  }),
  output: z.object({ generations: z.array(generationSummary), nextCursor: z.string().nullable() }),
  async run(ctx, query, { origin }) {
    const { generations, nextCursor } = await listGenerations(studioOf(ctx), query);
    return { generations: generations.map((view) => summaryOf(view, origin)), nextCursor };
  },
});
