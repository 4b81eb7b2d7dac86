/** Milliseconds of work before yielding to the event loop. */
const SLICE_MS = 8;

/**
 * Splits long work into slices: `if (pace.due()) await pace.rest()` between two steps. The clock decides only when to yield, never what is
 * computed.
 */
export class Pace {
  #since = performance.now();

  /** Whether this slice has lasted long enough. */
  due(): boolean {
    return performance.now() - this.#since >= SLICE_MS;
  }

  /** Yields to everything else that waits. */
  async rest(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  }
}

/** Work as a generator, which yields wherever it may be interrupted. */
export type Steps<T> = Generator<void, T>;

/** Runs all steps synchronously. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Runs the steps in slices, yielding to the event loop in between. */
export async function inSlices<T>(steps: Steps<T>, pace: Pace): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (pace.due()) await pace.rest();
  }
}

const CHUNK = 4_096;

/** Sorts strings by UTF-16 units, in slices. */
export async function sortInSlices(values: readonly string[], pace: Pace): Promise<string[]> {
  let runs: string[][] = [];
  for (let from = 0; from < values.length; from += CHUNK) {
    runs.push(values.slice(from, from + CHUNK).sort());
    if (pace.due()) await pace.rest();
  }
  while (runs.length > 1) {
    const merged: string[][] = [];
    for (let i = 0; i < runs.length; i += 2) {
      const [left, right] = [runs[i] as string[], runs[i + 1]];
      merged.push(right ? await merge(left, right, pace) : left);
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge(left: readonly string[], right: readonly string[], pace: Pace): Promise<string[]> {
  const all: string[] = [];
  let l = 0;
  let r = 0;
  while (l < left.length && r < right.length) {
    if ((left[l] as string) <= (right[r] as string)) all.push(left[l++] as string);
    else all.push(right[r++] as string);
    if ((all.length & 1_023) === 0 && pace.due()) await pace.rest();
  }
  return all.concat(left.slice(l), right.slice(r));
}
