import { waitAtMost } from '#lib/core/resource-limits/wait-at-most.ts';

/** Time of one pass (S-156). */
export const PASS_MS = 240_000;
/** A call to the store that takes longer has failed: the pass must end before its function does. */
export const STORE_CALL_MS = 15_000;
/** After this many failures in a row the store is taken to be down, and the pass stops asking it. */
const STORE_DOWN_AFTER = 25;

/** A call to the store timed out. */
class StoreSilent extends Error {
  override readonly name = 'StoreSilent';
}

/** Waits for a call to the store, no longer than one may take; throws when it fails or does not answer. */
export async function inStoreTime<T>(call: Promise<T>, storeCallMs: number = STORE_CALL_MS): Promise<T> {
  const silent = new StoreSilent();
  const answer = await waitAtMost<T | StoreSilent>(call, storeCallMs, silent);
  if (answer === silent) throw silent;
  return answer as T;
}

/** The limits of a pass: its time, and the store failures that it tolerates. */
export type Budget = {
  /** True once the pass has to stop; whatever is under way is finished, nothing new begins. */
  isSpent(): boolean;
  /** Waits for a call to the store, no longer than one may take; throws when it fails or does not answer. */
  inTime<T>(call: Promise<T>): Promise<T>;
  /** Records whether a call to the store succeeded. */
  storeAnswered(ok: boolean): void;
  /** Gives up on the store for this pass. */
  stop(): void;
};

/**
 * `storeCallMs`: limit of one call to the store; `stopping`: aborted when this instance shuts down; `isLeaseOver`: another pass may have begun
 * (a machine suspended during a pass wakes with time left but an expired lease).
 */
export function createBudget(options: {
  budgetMs: number;
  elapsedMs: () => number;
  storeCallMs: number;
  stopping?: AbortSignal | undefined;
  isLeaseOver?: () => boolean;
}): Budget {
  const startMs = options.elapsedMs();
  let failures = 0;
  let stopped = false;
  return {
    isSpent: () =>
      stopped ||
      options.stopping?.aborted === true ||
      options.isLeaseOver?.() === true ||
      options.elapsedMs() - startMs >= options.budgetMs,
    inTime: (call) => inStoreTime(call, options.storeCallMs),
    storeAnswered(ok) {
      failures = ok ? 0 : failures + 1;
      if (failures >= STORE_DOWN_AFTER) stopped = true;
    },
    stop() {
      stopped = true;
    },
  };
}
