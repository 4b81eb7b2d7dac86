import { expect, test } from 'vitest';
import { blend, coverage, keptOutside, maskOpacity } from '#lib/studio/composition/blend.ts';

const PIXELS = 4_000_000;
/** Pixels that may be worked on before others have their turn. */
const MOST_AT_ONCE = 250_000;

/** How often others had their turn while the work was under way. */
async function turnsOf<T>(work: () => T | Promise<T>): Promise<{ turns: number; result: T }> {
  let turns = 0;
  let waiting = setImmediate(function turn() {
    turns += 1;
    waiting = setImmediate(turn);
  });
  const result = await work();
  clearImmediate(waiting);
  return { turns, result };
}

test('every pass over the pixels of a large composition lets others have their turn', async () => {
  const product = new Uint8Array(PIXELS * 4).fill(10);
  const generated = new Uint8Array(PIXELS * 4).fill(200);
  const grey = Uint8Array.from({ length: PIXELS }, (_, pixel) => [0, 128, 255][pixel % 3] as number);
  const opacity = await turnsOf(() => maskOpacity(grey));
  const covered = await turnsOf(() => coverage(opacity.result));
  const mixed = await turnsOf(() => blend(product, generated, opacity.result));
  const kept = await turnsOf(() => keptOutside(product, mixed.result, opacity.result));
  for (const { turns } of [opacity, covered, mixed, kept])
    expect(turns).toBeGreaterThanOrEqual(PIXELS / MOST_AT_ONCE - 1);
  expect(covered.result).toBeCloseTo(2 / 3, 5);
  expect([...mixed.result.subarray(0, 12)]).toEqual([10, 10, 10, 10, 191, 191, 191, 105, 200, 200, 200, 200]);
  expect(kept.result).toBe(true);
});
