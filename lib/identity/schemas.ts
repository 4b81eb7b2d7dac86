import { z } from 'zod';

/** Query of the audit's export: the filters of its page. What is no filter is left out, and no format is CSV. */
export const auditExportQuery = z.object({
  format: z.enum(['csv', 'json']).catch('csv'),
  action: z.string().optional(),
  membre: z.string().optional(),
  objet: z.string().optional(),
  du: z.string().optional(),
  au: z.string().optional(),
});
