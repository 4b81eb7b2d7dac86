import { AsyncLocalStorage } from 'node:async_hooks';
import { createFairSlots } from '#lib/core/child-process/fair-slots.ts';

/** A picture of 64 megapixels takes hundreds of megabytes where its lines do not come one by one: WebP, GIF, interlaced, progressive. */
const inTurn = createFairSlots({ count: 2, waitingPerOwner: Number.POSITIVE_INFINITY });
/** Whether the work that asks has a place already. */
const holding = new AsyncLocalStorage<true>();

/**
 * Runs work that decodes pictures one after another: two at once in this process, one for the same account (`owner`); the others wait, each
 * account in its turn. Nothing that was paid or sent is refused here: what one account may have on its way is limited before. Work that
 * asks again from inside its turn goes on in the place that it has: two that each waited for another place would wait for ever.
 */
export function decodeInTurn<T>(owner: string, work: () => Promise<T>): Promise<T> {
  if (holding.getStore()) return work();
  return inTurn(owner, () => holding.run(true, work));
}
