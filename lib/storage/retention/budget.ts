/** Time of one pass (spec/studio, Limits). */
export const PASS_MS = 240_000;
/** One deletion that takes longer has failed: the pass must end before its function does. */
export const DELETE_TIMEOUT_MS = 15_000;
/** After this many failures in a row the store is taken to be down, and the pass stops asking it. */
const STORE_DOWN_AFTER = 25;

/** What a pass may still spend: its time, and its patience with a store that refuses. */
export type Budget = {
  /** True once the pass has to stop; whatever is under way is finished, nothing new begins. */
  isSpent(): boolean;
  /** Tells how a call to the store went. */
  storeAnswered(ok: boolean): void;
  /** Gives up on the store for this pass. */
  stop(): void;
};

export function createBudget(options: { budgetMs: number; elapsedMs: () => number }): Budget {
  const startMs = options.elapsedMs();
  let failures = 0;
  let stopped = false;
  return {
    isSpent: () => stopped || options.elapsedMs() - startMs >= options.budgetMs,
    storeAnswered(ok) {
      failures = ok ? 0 : failures + 1;
      if (failures >= STORE_DOWN_AFTER) stopped = true;
    },
    stop() {
      stopped = true;
    },
  };
}
