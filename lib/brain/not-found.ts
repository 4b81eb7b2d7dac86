import { ServiceError } from '#lib/core/errors.ts';

/** The refusal for a Space that is not in the account, or is archived where that matters. */
export function spaceNotFound(): ServiceError {
  return new ServiceError('not_found', { message: 'Cet espace est introuvable dans ce compte.' });
}

/** The refusal for a Memory that is not in the account, or is deleted. */
export function memoryNotFound(): ServiceError {
  return new ServiceError('not_found', { message: 'Cette mémoire est introuvable dans ce compte.' });
}
