import { z } from 'zod';
import { atMostUnits } from '#lib/core/text/text-length.ts';
import { FOUND_LIMITS, MAX_RECENTS } from '../queries/find-anything.ts';

const families = z.enum(Object.keys(FOUND_LIMITS) as (keyof typeof FOUND_LIMITS)[]);

/** What the command palette asks: a text, or what it opened lately. */
export const findQuery = z.strictObject({
  q: z
    .string()
    .refine(...atMostUnits(200))
    .default(''),
  recent: z
    .string()
    .max(60 * MAX_RECENTS)
    .default('')
    .transform((ids) => ids.split(',').filter((id) => id !== '')),
});

const item = z.object({
  id: z.string(),
  label: z.string(),
  detail: z.string().nullable(),
  spaceId: z.string().nullable(),
});

export const foundSchema = z.object({
  families: z.array(z.object({ family: families, limit: z.int(), more: z.boolean(), items: z.array(item) })),
  recent: z.array(item.extend({ family: families })),
  ignored: z.string().nullable().meta({ description: 'Quels mots n’ont été cherchés que dans les mémoires' }),
});
