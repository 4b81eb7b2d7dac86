import { AsyncLocalStorage } from 'node:async_hooks';
import { createFairSlots } from '#lib/core/child-process/fair-slots.ts';

/** A picture of 64 megapixels takes hundreds of megabytes where its lines do not come one by one: WebP, GIF, interlaced, progressive. */
const inTurn = createFairSlots({ count: 2, waitingPerOwner: Number.POSITIVE_INFINITY });
/** Whether the calling work already holds a slot. */
const holding = new AsyncLocalStorage<true>();

/**
 * Runs picture decoding in slots: two at once in this process, one for the same account (`owner`); the others wait in turn. Nothing is refused
 * here, as it is already paid or sent: concurrency per account is limited before. Nested work runs in the slot that it already holds, which
 * avoids a deadlock.
 */
export function decodeInTurn<T>(owner: string, work: () => Promise<T>): Promise<T> {
  if (holding.getStore()) return work();
  return inTurn(owner, () => holding.run(true, work));
}
