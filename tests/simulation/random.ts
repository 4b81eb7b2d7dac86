/** A small seeded generator (mulberry32): the same seed, the same choices. */
export type Random = {
  /** 0 ≤ x < 1. */
  next(): number;
  chance(probability: number): boolean;
  /** 0 ≤ n < below, whole. */
  below(below: number): number;
  pick<T>(from: readonly T[]): T;
  fork(): Random;
};

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const random: Random = {
    next,
    chance: (probability) => next() < probability,
    below: (below) => Math.floor(next() * below),
    pick: (from) => from[Math.floor(next() * from.length)] as (typeof from)[number],
    fork: () => seeded(Math.floor(next() * 4_294_967_296)),
  };
  return random;
}
