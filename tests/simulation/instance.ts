import type pg from 'pg';
import type { Queries } from '#lib/db/types.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import type { Random } from './random.ts';
import type { Turns } from './turns.ts';

/** How often a call fails, and how often the process dies there; half of each before the call took effect, half after. */
export type FaultRates = { fault: number; death: number };

export const NO_FAULTS: FaultRates = { fault: 0, death: 0 };

class Fault extends Error {
  override name = 'Fault';
}

const never = () => new Promise<never>(() => {});

/**
 * One serverless instance: everything that it asks of the outside passes here, may fail with or without having happened, and may
 * be the last thing that the process ever did. A dead process never resumes; its transactions are rolled back.
 */
export class Instance {
  readonly #random: Random;
  readonly #rates: FaultRates;
  readonly #turns: Turns;
  readonly #held = new Map<object, () => Promise<void>>();
  #dead = false;
  #kill: () => void = () => {};
  readonly death: Promise<void>;

  constructor(turns: Turns, random: Random, rates: FaultRates) {
    this.#turns = turns;
    this.#random = random;
    this.#rates = rates;
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
    const dies = this.#random.chance(this.#rates.death);
    const fails = !dies && this.#random.chance(this.#rates.fault);
    const after = this.#random.chance(0.5);
    const result = await this.#turns.take(async () => {
      // Another flow of this instance may have died meanwhile: nothing more leaves it.
      if (this.#dead || ((dies || fails) && !after)) return undefined;
      return { value: await work() };
    });
    if (this.#dead) return never();
    if (dies) {
      this.#die();
      return never();
    }
    if (fails) throw new Fault('a fault of the simulation');
    return (result as { value: T }).value;
  }

  /** Runs an operation until it ends or the process dies. */
  async run<T>(operation: () => Promise<T>): Promise<T | undefined> {
    const ended = operation().catch((error: unknown) => {
      if (error instanceof Fault || isExpected(error)) return undefined;
      throw error;
    });
    return Promise.race([ended, this.death.then(() => undefined)]);
  }

  /** The database as this instance reaches it: every statement and every commit is a call. */
  queries(pool: pg.Pool): Queries {
    return interceptedQueries(pool, {
      around: (statement, send) => {
        if (statement.label !== 'begin' && statement.label !== 'rollback') return this.call(send);
        return this.#dead ? never() : send();
      },
      acquired: (connection, abort) => {
        if (this.#dead) void abort();
        else this.#held.set(connection, abort);
      },
      released: (connection) => this.#held.delete(connection),
    });
  }

  /** What it had begun is rolled back by the server; nothing that waited for an answer ever goes on. */
  #die(): void {
    this.#dead = true;
    for (const abort of this.#held.values()) void abort();
    this.#held.clear();
    this.#kill();
  }
}

/** What verbs throw on purpose when something around them failed. */
function isExpected(error: unknown): boolean {
  const name = error instanceof Error ? error.name : '';
  return name === 'ServiceError' || name === 'NotStored' || (error as { code?: string })?.code === '23505';
}
