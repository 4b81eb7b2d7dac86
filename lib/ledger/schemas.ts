import { z } from 'zod';
import { isMonth } from './month.ts';

/** Query of a member's statement. */
export const statementQuery = z.object({
  month: z
    .string()
    .refine(isMonth, 'Le mois s’écrit AAAA-MM, par exemple 2026-11.')
    .optional()
    .meta({ description: 'Mois UTC\u00a0; par défaut le mois courant', example: '2026-11' }),
  memberId: z.string().max(40).optional().meta({ description: 'Par défaut, soi-même' }),
});
