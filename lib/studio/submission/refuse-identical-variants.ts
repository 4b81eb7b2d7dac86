import { ServiceError } from '#lib/core/errors.ts';
import type { GenerationRequest } from '../request.ts';

/** Throws `invalid` (`variants`) for several variants of a deterministic request: a template, a lipsync, a fixed seed, an upscale. */
export function refuseIdenticalVariants(request: GenerationRequest, variants: number): void {
  if (variants === 1) return;
  const varies =
    request.kind === 'vector' ||
    request.kind === 'voice' ||
    request.kind === 'video' ||
    (request.kind === 'image' && request.seed === undefined && request.case !== 'image-upscale');
  if (varies) return;
  throw new ServiceError('invalid', {
    detail: 'variants',
    problems: [
      {
        field: 'variants',
        message: 'Cette demande donnerait chaque fois le même fichier\u00a0: demandez-en un seul.',
      },
    ],
  });
}
