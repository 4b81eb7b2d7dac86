/** Time is an input: every verb reads it from here, so that a test can set it. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

/** A clock that only moves when told; for tests and simulations. */
export function manualClock(
  start: Date | string,
): Clock & { advance(ms: number): void; set(at: Date | string): void } {
  let nowMs = new Date(start).getTime();
  return {
    now: () => new Date(nowMs),
    advance(ms) {
      nowMs += ms;
    },
    set(at) {
      nowMs = new Date(at).getTime();
    },
  };
}
