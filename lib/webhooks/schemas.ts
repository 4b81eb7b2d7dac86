import { z } from 'zod';

/** What the scheduler's pass answers. */
export const webhooksReportSchema = z.object({
  delivered: z.int(),
  again: z.int(),
  givenUp: z.int(),
  errors: z.int(),
  thresholds: z.int(),
  notices: z.int(),
});
