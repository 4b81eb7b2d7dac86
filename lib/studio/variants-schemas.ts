import { z } from 'zod';
import { idempotencyKey } from '#lib/core/input/idempotency-key.ts';
import { MAX_VARIANTS } from './limits.ts';
import { generationRequest } from './request.ts';
import { generationSchema } from './schemas.ts';

/** Room for what a variant's own key adds. */
const requestKey = idempotencyKey.max(190, 'Il faut 190 caractères au plus.');

/** How many generations of one request. */
const variantsCount = z.int().min(1).max(MAX_VARIANTS);
export const variantsQuery = z.strictObject({
  variants: z.coerce
    .number()
    .pipe(variantsCount)
    .default(1)
    .meta({
      description: `Combien de générations de cette demande, ${MAX_VARIANTS} au plus\u00a0: les montants sont ceux de toutes`,
    }),
});
export const variantsHeaders = z.object({ 'idempotency-key': requestKey });
export const variantsBody = z.strictObject({ request: generationRequest, variants: variantsCount });
export const sentQuery = z.strictObject({ key: requestKey });
export const variantsSchema = z.object({ generations: z.array(generationSchema) });
