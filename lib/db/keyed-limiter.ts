/** What waited this long runs all the same: the work before it may wait for something else. */
const MAX_WAIT_MS = 1_000;

/**
 * A limiter per key, in this process: at most `concurrency` pieces of work of one key run at a time, in the order asked. It decides nothing (the database
 * does, for every process): it spares those who would wait for one row there, each holding a connection.
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
