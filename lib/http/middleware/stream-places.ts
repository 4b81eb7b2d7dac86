import { ServiceError } from '#lib/core/errors.ts';

/** Streams open at once on one instance: of an account, and of all. */
const MAX_OF_ACCOUNT = 4;
const MAX_STREAMS = 64;
/** How many more may be open beyond `MAX_STREAMS`, each the first of its account: accounts that hold four must not shut out the others. */
const FIRST_OF_OTHERS = 64;

const open = new Map<string, number>();

/** Reserves one of this instance's stream slots; the returned function releases it, once however often it is called. Errors: `rate_limited`. */
export function takePlace(accountId: string): () => void {
  const own = open.get(accountId) ?? 0;
  const all = [...open.values()].reduce((sum, count) => sum + count, 0);
  if (own >= MAX_OF_ACCOUNT)
    throw tooMany('Trop d’abonnements sont ouverts en même temps\u00a0: fermez-en un.');
  if (all >= MAX_STREAMS + (own === 0 ? FIRST_OF_OTHERS : 0))
    throw tooMany('Le service suit déjà beaucoup d’abonnements\u00a0: recommencez dans une minute.');
  open.set(accountId, own + 1);
  let taken = true;
  return () => {
    if (!taken) return;
    taken = false;
    const left = (open.get(accountId) ?? 1) - 1;
    if (left > 0) open.set(accountId, left);
    else open.delete(accountId);
  };
}

function tooMany(message: string): ServiceError {
  return new ServiceError('rate_limited', { message, retryAfterSeconds: 60 });
}
