import { z } from 'zod';
import { capacitySchema, kind, memoryCu, occupiedCu, role, source, template, timestamp } from './fields.ts';

const spaceSummarySchema = z
  .object({
    object: z.literal('space'),
    id: z.string(),
    name: z.string(),
    template,
    templateLabel: z.string(),
    memories: z.int().meta({ description: 'Nombre de mémoires' }),
    cu: occupiedCu,
  })
  .meta({ id: 'SpaceSummary' });

export const spaceListSchema = z
  .object({ object: z.literal('list'), data: z.array(spaceSummarySchema), capacity: capacitySchema })
  .meta({ id: 'SpaceList' });

const spaceMemorySchema = z
  .object({
    id: z.string(),
    pillar: role,
    parentId: z.string().nullable(),
    kind,
    title: z.string(),
    body: z.string(),
    source,
    sourceRef: z.string().nullable().meta({ description: 'Adresse, chemin ou nom de fichier d’origine' }),
    file: z.object({ name: z.string(), contentType: z.string(), bytes: z.int() }).nullable(),
    cu: memoryCu,
    contribution: z
      .int()
      .meta({ description: 'Part de la qualité du pilier\u00a0; les parts en font exactement la somme' }),
    updatedAt: timestamp,
  })
  .meta({ id: 'SpaceMemory' });

export const spaceSchema = z
  .object({
    object: z.literal('space'),
    id: z.string(),
    name: z.string(),
    template,
    templateLabel: z.string(),
    websiteUrl: z.string().nullable(),
    canEdit: z
      .boolean()
      .meta({ description: 'Le membre derrière les identifiants peut écrire dans le Brain' }),
    pillars: z
      .array(
        z.object({
          role,
          label: z.string(),
          icon: z.string(),
          note: z.string(),
          memories: z.array(spaceMemorySchema),
          cu: occupiedCu,
          quality: z.int(),
        }),
      )
      .length(5),
    cu: occupiedCu,
    quality: z.int(),
    capacity: capacitySchema,
  })
  .meta({ id: 'Space' });

export const exportQuery = z.object({
  format: z
    .enum(['json', 'markdown'], 'Le format est json ou markdown.')
    .meta({ description: 'Un fichier JSON, ou un zip de fichiers Markdown' }),
});
