import { createFairSlots } from '#lib/core/child-process/fair-slots.ts';
import { ServiceError } from '#lib/core/errors.ts';

/** Previews of one account that wait, and of all accounts together: each holds the photographs that it draws. */
const WAITING_OF_ONE = 12;
const WAITING = 24;
/** A drawing takes a processor for half a second: two at once leave room for everything else of the process. */
const TOGETHER = 2;

const tooMany = () =>
  new ServiceError('unavailable', {
    message: 'Trop d’aperçus sont demandés à la fois. Celui-ci reviendra dans un instant.',
    retryAfterSeconds: 2,
  });

const inTurn = createFairSlots({ count: TOGETHER, waitingPerOwner: WAITING_OF_ONE, refusal: tooMany });
/** Those that are drawn and those that wait. */
let asked = 0;

/**
 * Runs `work` when a slot of this process is free, one at a time for the same account (`owner`), each account in its turn. Errors:
 * `unavailable` when too many already wait; nothing is drawn for a request that `signal` took back while it waited.
 */
export async function withDrawingSlot<T>(
  owner: string,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  if (asked >= TOGETHER + WAITING) throw tooMany();
  asked += 1;
  try {
    return await inTurn(owner, async () => {
      signal?.throwIfAborted();
      return work();
    });
  } finally {
    asked -= 1;
  }
}
