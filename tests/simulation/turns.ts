/** A call that waits for a lock held by another waits longer than this: meanwhile the next one gets its turn. */
const BLOCKED_MS = 6;

/**
 * Lets calls through one at a time, of those that wait the one of the smallest number first: whatever awaits, anything may happen before
 * it. Each call brings its own number, so that one that is taken away leaves the order of the others. A call that is blocked in the
 * database does not stop them.
 */
export class Turns {
  readonly #waiting: { rank: number; go: () => void }[] = [];
  #held = 0;
  #planned = false;
  calls = 0;

  async take<T>(rank: number, call: () => Promise<T>): Promise<T> {
    await new Promise<void>((go) => {
      this.#waiting.push({ rank, go });
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
      let first = 0;
      for (const [at, { rank }] of this.#waiting.entries())
        if (rank < (this.#waiting[first]?.rank ?? 1)) first = at;
      const [chosen] = this.#waiting.splice(first, 1);
      this.#held += 1;
      chosen?.go();
    });
  }
}
