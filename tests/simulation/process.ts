import type { Sql, SqlTransaction } from '#lib/db/connection.ts';
import type { Random } from './random.ts';
import type { Turns } from './turns.ts';

/** How often a call fails, and how often the process dies there; half of each before the call took effect, half after. */
export type Weather = { fault: number; death: number };

export const CALM: Weather = { fault: 0, death: 0 };

class Fault extends Error {
  override name = 'Fault';
}
class Death extends Error {
  override name = 'Death';
}

const never = () => new Promise<never>(() => {});

/**
 * One serverless instance: everything that it asks of the outside passes here, may fail with or without having happened, and may
 * be the last thing that the process ever did. A dead process never resumes; its transactions are rolled back.
 */
export class Instance {
  readonly #random: Random;
  readonly #weather: Weather;
  readonly #turns: Turns;
  #dead = false;
  #kill: () => void = () => {};
  readonly death: Promise<void>;

  constructor(turns: Turns, random: Random, weather: Weather) {
    this.#turns = turns;
    this.#random = random;
    this.#weather = weather;
    this.death = new Promise((resolve) => {
      this.#kill = resolve;
    });
  }

  get isDead(): boolean {
    return this.#dead;
  }

  /** One call to the outside. */
  async call<T>(work: () => Promise<T>): Promise<T> {
    if (this.#dead) return never();
    const dies = this.#random.chance(this.#weather.death);
    const fails = !dies && this.#random.chance(this.#weather.fault);
    const after = this.#random.chance(0.5);
    const result = await this.#turns.take(async () => {
      // Another flow of this instance may have died meanwhile: nothing more leaves it.
      if (this.#dead || ((dies || fails) && !after)) return undefined;
      return { value: await work() };
    });
    if (this.#dead) return never();
    if (dies) {
      this.#dead = true;
      this.#kill();
      return never();
    }
    if (fails) throw new Fault('a fault of the simulation');
    return (result as { value: T }).value;
  }

  /** Runs an operation until it ends or the process dies. */
  async run<T>(operation: () => Promise<T>): Promise<T | undefined> {
    const ended = operation().catch((error: unknown) => {
      if (error instanceof Death) return undefined;
      if (error instanceof Fault || isExpected(error)) return undefined;
      throw error;
    });
    return Promise.race([ended, this.death.then(() => undefined)]);
  }

  sql(real: Sql): Sql {
    return {
      rows: (name, text, params) => this.call(() => real.rows(name, text, params)),
      transaction: (work) => this.#transaction(real, work),
    };
  }

  async #transaction<T>(real: Sql, work: (tx: SqlTransaction) => Promise<T>): Promise<T> {
    let thrown: unknown;
    const committed = await real
      .transaction(async (tx) => {
        const wrapped: SqlTransaction = {
          rows: (name, text, params) => this.call(() => tx.rows(name, text, params)),
        };
        const dead = this.death.then(() => {
          throw new Death();
        });
        const value = await Promise.race([work(wrapped), dead]);
        // A fault or a death here comes before the commit.
        await Promise.race([this.#before(), dead]);
        return { value };
      })
      .catch((error: unknown) => {
        thrown = error;
        return undefined;
      });
    if (this.#dead) return never();
    if (!committed) throw thrown;
    // And here after it: committed, and nobody was told.
    await this.#before();
    return committed.value;
  }

  #before(): Promise<void> {
    return this.call(async () => {});
  }
}

/** What verbs throw on purpose when something around them failed. */
function isExpected(error: unknown): boolean {
  const name = error instanceof Error ? error.name : '';
  return name === 'ServiceError' || name === 'NotStored' || (error as { code?: string })?.code === '23505';
}
