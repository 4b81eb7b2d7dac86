/** Who waited this long goes on all the same: what runs before it may wait for something else. */
const PATIENCE_MS = 1_000;

/**
 * Turns by key, in this process: at most `together` pieces of work of one key run at a time, in the order asked. It decides nothing (the database does, for
 * every process): it spares those who would wait for one row there, each holding a connection.
 */
export class Turns {
  readonly #together: number;
  readonly #lines = new Map<string, { running: number; waiting: (() => void)[] }>();

  constructor(together: number) {
    this.#together = together;
  }

  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(key) ?? { running: 0, waiting: [] };
    this.#lines.set(key, line);
    if (line.running >= this.#together) await this.#wait(line.waiting);
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
      }, PATIENCE_MS);
      waiting.push(go);
    });
  }
}
