import { z } from 'zod';

/** Query of the audit's export: the filters of its page. What is no filter is left out, and no format is CSV. */
export const auditExportQuery = z.object({
  format: z.enum(['csv', 'json']).catch('csv').meta({ description: 'Le format\u00a0; par défaut `csv`' }),
  action: z
    .string()
    .optional()
    .meta({ description: 'Une famille d’actions, telle que le filtre de la page d’audit la nomme' }),
  membre: z.string().optional().meta({ description: 'Le membre qui a agi, par son identifiant' }),
  objet: z.string().optional().meta({ description: 'L’objet de l’action, par son identifiant' }),
  du: z.string().optional().meta({ description: 'Depuis ce jour, à l’heure de Paris (`2026-11-21`)' }),
  au: z.string().optional().meta({ description: 'Jusqu’à ce jour compris, à l’heure de Paris' }),
});
