import { z } from 'zod';

/** A parameter or a field of a form that is a whole number, however long; what is not one, an empty text too, is refused. */
export const integerText = z
  .string()
  .regex(/^[+-]?\d+$/, 'Il faut un nombre entier.')
  .transform((digits) =>
    Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(digits))),
  );
