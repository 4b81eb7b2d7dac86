import { z } from 'zod';

const KEY_WORDS =
  'Choisie par vous, une par demande\u00a0: la même demande envoyée de nouveau sous la même clé n’est faite qu’une fois';

/** The shape of an idempotency key, wherever one is taken (B-117). */
export const idempotencyKey = z
  .string({
    error: ({ input }) => (input === undefined ? 'L’en-tête Idempotency-Key est obligatoire.' : undefined),
  })
  .regex(/^[\x21-\x7e]{1,200}$/, 'Il faut de 1 à 200 caractères ASCII visibles.')
  .meta({ description: KEY_WORDS });

/** A key of a request that may come without one. */
export const optionalIdempotencyKey = idempotencyKey.optional().meta({
  description: `${KEY_WORDS}\u00a0; sans elle, chaque envoi est une demande`,
});

/** A key of the service's own: it begins with a space, which no caller's key may hold, so that none can take it first. */
export function serviceKey(name: string): string {
  return ` ${name}`;
}
