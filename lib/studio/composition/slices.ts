/** Pixels worked on in a row: a few milliseconds. */
const SLICE = 250_000;

/**
 * Runs `work` over `count` pixels, slice by slice, and lets the process serve others after each: a composition of 23 megapixels held
 * it for two seconds.
 */
export async function inSlices(count: number, work: (from: number, to: number) => void): Promise<void> {
  for (let from = 0; from < count; from += SLICE) {
    work(from, Math.min(count, from + SLICE));
    if (from + SLICE < count) await new Promise<void>((turn) => setImmediate(turn));
  }
}
