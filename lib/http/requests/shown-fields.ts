import { z } from 'zod';

/** Of a form: what its page showed of the fields that it changes (`Shown`, as JSON). Absent where it does not say. */
export const shownFields = z
  .string()
  .max(100_000)
  .transform((text, check): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      const message = 'Ce que la page montrait n’a pas pu être lu\u00a0: rechargez-la.';
      check.addIssue({ code: 'custom', message });
      return z.NEVER;
    }
  })
  .pipe(z.record(z.string(), z.string()))
  .optional();
