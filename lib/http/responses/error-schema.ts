import { z } from 'zod';
import { ERROR_CATALOG, type ErrorCode } from '#lib/core/errors.ts';

/** A refusal in the house shape, as `errorBody` writes it. */
export const errorSchema = z
  .object({
    error: z.object({
      code: z.enum(Object.keys(ERROR_CATALOG) as [ErrorCode, ...ErrorCode[]]).meta({ example: 'not_found' }),
      message: z.string().meta({ description: 'Phrase en français, destinée à être lue' }),
      detail: z.string().optional().meta({ description: 'Précision pour un programme' }),
      problems: z
        .array(z.object({ field: z.string(), message: z.string() }))
        .optional()
        .meta({ description: 'Ce qui ne va pas, champ par champ' }),
      subject: z.string().optional().meta({ description: 'La référence ou l’objet dont il s’agit' }),
    }),
  })
  .meta({ id: 'Error', description: 'Toute erreur a cette forme.' });
