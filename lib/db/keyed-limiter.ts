/** Work that waited this long runs anyway: the work before it may be waiting for something else. */
const MAX_WAIT_MS = 1_000;

/**
 * A concurrency limiter per key, in this process: at most `concurrency` tasks of one key at a time, in order. It guarantees nothing (database
 * locks do, for every process): it keeps tasks that would wait for one row from each holding a connection.
 */
export class KeyedLimiter {
  readonly #concurrency: number;
  readonly #lines = new Map<string, { running: number; waiting: (() => void)[] }>();

  constructor(concurrency: number) {
    this.#concurrency = concurrency;
  }

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(key) ?? { running: 0, waiting: [] };
    this.#lines.set(key, line);
    if (line.running >= this.#concurrency) await this.#wait(line.waiting);
    line.running++;
    try {
      return await work();
    } finally {
      line.running--;
      const next = line.waiting.shift();
      if (next) next();
      else if (line.running === 0) this.#lines.delete(key);
    }
  }

  #wait(waiting: (() => void)[]): Promise<void> {
    return new Promise((resolve) => {
      const go = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(go), 1);
        resolve();
      }, MAX_WAIT_MS);
      waiting.push(go);
    });
  }
}
