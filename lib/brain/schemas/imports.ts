import { z } from 'zod';
import { similar, timestamp } from './fields.ts';

export const importSchema = z
  .object({
    id: z.string(),
    spaceId: z.string(),
    label: z.string(),
    state: z.enum(['RUNNING', 'DONE', 'FAILED']),
    done: z.int(),
    total: z.int(),
    created: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    refused: z.array(z.object({ path: z.string(), reason: z.string() })),
    refusedCount: z.int(),
    capacityFull: z.boolean(),
    similar: z.array(z.object({ path: z.string(), id: z.string(), title: z.string(), similar })),
    similarCount: z.int(),
    createdAt: timestamp,
    finishedAt: timestamp.nullable(),
    stalled: z.boolean(),
  })
  .meta({ id: 'Import' });

export const importForm = z.object({
  pillar: z.string().optional(),
  files: z.array(z.file()).meta({ override: { type: 'array', items: { type: 'string', format: 'binary' } } }),
});
