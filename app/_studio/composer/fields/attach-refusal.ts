import { unstable_isUnrecognizedActionError } from 'next/navigation';
import { isStoreRefusal } from '#app/_cockpit/sending/put-file.ts';
import { ApiError } from '#app/_ui/api-error.ts';
import { lostWords } from '#app/_ui/lost-words.ts';

/** A refusal whose message is shown on the reference. */
export class AttachRefusal extends Error {}

export const LOST =
  'L’envoi a été interrompu. Rien n’a été débité\u00a0: vérifiez votre réseau, puis recommencez.';

const STORE_REFUSED =
  'Le stockage a refusé ce fichier. Rien n’a été débité\u00a0: recommencez, et prévenez l’exploitant du service si cela se répète.';

/** The refusal to show for a failed upload: the service's sentence or that of its store if it refused it, otherwise that the connection was lost. */
export function attachRefusalOf(error: unknown): AttachRefusal {
  if (error instanceof AttachRefusal) return error;
  if (unstable_isUnrecognizedActionError(error)) return new AttachRefusal(lostWords(error));
  if (isStoreRefusal(error)) return new AttachRefusal(STORE_REFUSED);
  if (!(error instanceof ApiError) || error.status === 0) return new AttachRefusal(LOST);
  return new AttachRefusal(error.refusal.problems?.[0]?.message ?? error.message);
}
