import type pg from 'pg';
import type { Queries } from '#lib/db/types.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import type { Call, Trouble } from './plan.ts';
import { type Random, seeded } from './random.ts';
import type { Turns } from './turns.ts';

class Fault extends Error {
  override name = 'Fault';
}

const never = () => new Promise<never>(() => {});

/**
 * One serverless instance: everything that it asks of the outside passes here, may fail with or without having happened, and may
 * be the last thing that the process ever did. A dead process never resumes; its transactions are rolled back.
 */
export class Instance {
  readonly #ranks: Random;
  readonly #troubles: ReadonlyMap<number, Trouble>;
  readonly #turns: Turns;
  #calls = 0;
  readonly #held = new Map<object, () => Promise<void>>();
  #dead = false;
  #kill: () => void = () => {};
  readonly death: Promise<void>;

  constructor(turns: Turns, { seed, troubles }: Pick<Call, 'seed' | 'troubles'>) {
    this.#turns = turns;
    this.#ranks = seeded(seed);
    this.#troubles = new Map(troubles.map((one) => [one.call, one]));
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
    const trouble = this.#troubles.get(this.#calls);
    this.#calls += 1;
    const result = await this.#turns.take(this.#ranks.next(), async () => {
      // Another flow of this instance may have died meanwhile: nothing more leaves it.
      if (this.#dead || trouble?.after === false) return undefined;
      return { value: await work() };
    });
    if (this.#dead) return never();
    if (trouble?.dies) {
      this.#die();
      return never();
    }
    if (trouble) throw new Fault('a fault of the simulation');
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
