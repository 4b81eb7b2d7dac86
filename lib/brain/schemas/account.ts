import { z } from 'zod';
import { timestamp } from './fields.ts';

export const quotaSchema = z
  .object({
    object: z.literal('quota'),
    limit: z.int(),
    used: z.int(),
    remaining: z.int(),
    resetsAt: timestamp,
    activated: z.boolean(),
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
