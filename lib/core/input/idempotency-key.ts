import { z } from 'zod';

/** The shape of an idempotency key, wherever one is taken (B-117). */
export const idempotencyKey = z
  .string({
    error: ({ input }) => (input === undefined ? 'L’en-tête Idempotency-Key est obligatoire.' : undefined),
  })
  .regex(/^[\x21-\x7e]{1,200}$/, 'Il faut de 1 à 200 caractères ASCII visibles.');

/** A key of the service's own: it begins with a space, which no caller's key may hold, so that none can take it first. */
export function serviceKey(name: string): string {
  return ` ${name}`;
}
