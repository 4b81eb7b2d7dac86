import { z } from 'zod';
import { kind, memoryPath, role, timestamp } from './fields.ts';

export const revisionPath = memoryPath.extend({
  version: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .meta({ override: { type: 'integer' } }),
});

const revisionChange = z.enum(['CREATED', 'EDITED', 'MOVED', 'DELETED', 'RESTORED']);

export const revisionListSchema = z.object({
  revisions: z.array(
    z.object({ version: z.int(), change: revisionChange, title: z.string(), at: timestamp, by: z.string() }),
  ),
  more: z.boolean(),
});

const revisionText = z.object({
  version: z.int(),
  title: z.string(),
  body: z.string(),
  kind,
  role,
  change: revisionChange,
});

export const revisionSchema = z.object({ revision: revisionText, previous: revisionText.nullable() });

/** The greatest that the column holds: a greater number would be an error of PostgreSQL's. */
export const MAX_VERSION = 2_147_483_647;

/** `before`: the version above which entries are left out; what is no version is as none. */
export const revisionsQuery = z.object({
  before: z.coerce
    .number()
    .int()
    .positive()
    .max(MAX_VERSION)
    .optional()
    .catch(undefined)
    .meta({ override: { type: 'integer' } }),
});
