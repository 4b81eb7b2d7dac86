import type { Random } from './random.ts';

/** A call that waits for a lock held by another waits longer than this: meanwhile the next one gets its turn. */
const BLOCKED_MS = 6;

/**
 * Lets calls through one at a time, in an order that the seed decides: whatever awaits, anything may happen before it. A call that
 * is blocked in the database does not stop the others.
 */
export class Turns {
  readonly #random: Random;
  readonly #waiting: (() => void)[] = [];
  #held = 0;
  #planned = false;
  calls = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  async take<T>(call: () => Promise<T>): Promise<T> {
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      this.#plan();
    });
    this.calls += 1;
    let counted = true;
    const release = () => {
      if (!counted) return;
      counted = false;
      this.#held -= 1;
      this.#plan();
    };
    const blocked = setTimeout(release, BLOCKED_MS);
    try {
      return await call();
    } finally {
      clearTimeout(blocked);
      release();
    }
  }

  #plan(): void {
    if (this.#planned || this.#held > 0 || this.#waiting.length === 0) return;
    this.#planned = true;
    // After every flow that is ready has asked for its turn.
    setImmediate(() => {
      this.#planned = false;
      if (this.#held > 0 || this.#waiting.length === 0) return;
      const [chosen] = this.#waiting.splice(this.#random.below(this.#waiting.length), 1);
      this.#held += 1;
      chosen?.();
    });
  }
}
