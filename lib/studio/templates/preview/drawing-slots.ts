import { createFairSlots } from '#lib/core/child-process/fair-slots.ts';
import { ServiceError } from '#lib/core/errors.ts';

/** Previews of one account that wait, and of all accounts together: each holds the photographs that it draws. */
const WAITING_OF_ONE = 12;
const WAITING = 24;
/** Beyond them, only an account with no preview waiting may add one, so that two busy accounts do not shut out the others. */
const FIRST_OF_OTHERS = 24;
/** A drawing takes a processor for half a second: two at once leave room for everything else of the process. */
const TOGETHER = 2;

const tooMany = () =>
  new ServiceError('unavailable', {
    message: 'Trop d’aperçus sont demandés à la fois. Celui-ci reviendra dans un instant.',
    retryAfterSeconds: 2,
  });

const inTurn = createFairSlots({ count: TOGETHER, waitingPerOwner: WAITING_OF_ONE, refusal: tooMany });
/** Those that are drawn and those that wait, of all and of each account that has any. */
let asked = 0;
const askedOf = new Map<string, number>();

/**
 * Runs `work` when a slot of this process is free, one at a time for the same account (`owner`), each account in its turn. Errors:
 * `unavailable` when too many already wait; nothing is drawn for a request that `signal` took back while it waited.
 */
export async function withDrawingSlot<T>(
  owner: string,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const most = TOGETHER + WAITING + (askedOf.has(owner) ? 0 : FIRST_OF_OTHERS);
  if (asked >= most) throw tooMany();
  count(owner, 1);
  try {
    return await inTurn(owner, async () => {
      signal?.throwIfAborted();
      return work();
    });
  } finally {
    count(owner, -1);
  }
}

function count(owner: string, by: 1 | -1): void {
  asked += by;
  const own = (askedOf.get(owner) ?? 0) + by;
  if (own > 0) askedOf.set(owner, own);
  else askedOf.delete(owner);
}
