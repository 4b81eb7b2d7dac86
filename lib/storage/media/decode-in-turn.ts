import { createFairSlots } from '#lib/core/child-process/fair-slots.ts';

/** A picture of 64 megapixels takes hundreds of megabytes where its lines do not come one by one: WebP, GIF, interlaced, progressive. */
const inTurn = createFairSlots({ count: 2, waitingPerOwner: Number.POSITIVE_INFINITY });

/**
 * Runs work that decodes one picture: two at once in this process, one for the same account (`owner`); the others wait, in order. Nothing
 * that was paid or sent is refused here: what one account may have on its way is limited before. Work that waits for other work of this
 * kind would wait for ever.
 */
export function decodeInTurn<T>(owner: string, work: () => Promise<T>): Promise<T> {
  return inTurn(owner, work);
}
