import { ServiceError } from '#lib/core/errors.ts';

/** What an account that may hold nothing is told: it has nothing to delete, and the operator alone gives capacity. */
const NONE =
  'Aucune capacité de contexte n’est attribuée à ce compte\u00a0: rien n’a été écrit. Demandez à l’exploitant du service de lui en attribuer.';

/** The refusal of what an account has no room for: one to which no capacity was given is not said to be full. */
export function capacityFull(capacityCu?: number | null, detail?: string): ServiceError {
  return new ServiceError('capacity_full', {
    ...(capacityCu === 0 ? { message: NONE } : {}),
    ...(detail ? { detail } : {}),
  });
}
