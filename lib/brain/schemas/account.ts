import { z } from 'zod';
import { timestamp } from './fields.ts';

export const quotaSchema = z
  .object({
    object: z.literal('quota'),
    limit: z.int().meta({ description: 'Lectures incluses ce mois UTC, selon la capacité ou le contrat' }),
    used: z.int().meta({ description: 'Lectures déjà faites ce mois-ci' }),
    remaining: z.int().meta({ description: 'Lectures qui restent ce mois-ci' }),
    resetsAt: timestamp.meta({ description: 'Début du prochain mois UTC\u00a0: tout est alors rendu' }),
    activated: z.boolean().meta({ description: 'Le compte a une capacité' }),
  })
  .meta({ id: 'Quota' });

const projectSchema = z
  .object({
    id: z.string(),
    object: z.literal('project'),
    name: z.string(),
    websiteUrl: z.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Project' });

export const projectListSchema = z
  .object({ object: z.literal('list'), data: z.array(projectSchema) })
  .meta({ id: 'ProjectList' });
