import { ServiceError } from '#lib/core/errors.ts';

/** A drawing takes a processor for half a second: two at once leave room for everything else of the process. */
const TOGETHER = 2;
const WAITING = 12;

let running = 0;
const queue: (() => void)[] = [];

/**
 * Runs `work` when a slot of this process is free, in order of arrival. Errors: `unavailable` when too many already wait; nothing
 * is drawn for a request that `signal` took back while it waited.
 */
export async function withDrawingSlot<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  if (running >= TOGETHER) {
    if (queue.length >= WAITING)
      throw new ServiceError('unavailable', {
        message: 'Trop d’aperçus sont demandés à la fois. Celui-ci reviendra dans un instant.',
        retryAfterSeconds: 2,
      });
    await new Promise<void>((resolve) => queue.push(resolve));
  } else running += 1;
  try {
    signal?.throwIfAborted();
    return await work();
  } finally {
    const next = queue.shift();
    if (next) next();
    else running -= 1;
  }
}
