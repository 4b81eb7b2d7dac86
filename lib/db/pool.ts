import { Kysely } from 'kysely';
import pg from 'pg';
import { poolDialect } from './driver.ts';
import { outliveCuts } from './outlive-cuts.ts';
import { leaveOverslept } from './overslept.ts';
import type { DB, Queries } from './types.ts';

export type PoolOptions = {
  url: string;
  poolMax: number;
  /** Default true; see `DriverOptions`. */
  preparedStatements?: boolean;
  /**
   * The longest that a statement may go unanswered, by this process's clock; past it, it fails (`ETIMEDOUT`, its outcome unknown) and its
   * connection is thrown away. Default: for ever.
   */
  statementMs?: number;
  /** See `DriverOptions`. */
  idleTransactionMs?: number;
  /** The clock of the wall, by which a resting connection is too old; the machine's own. */
  nowMs?: () => number;
};

/** How long a connection may rest before the pool closes it. */
const IDLE_MS = 30_000;

export type OpenPool = {
  kysely: Queries;
  pool: pg.Pool;
  /** Round trips to the server since the pool was made; tests count them. */
  roundTrips(): number;
};

/** What `DATABASE_PREPARED` says, for commands that read no more of the configuration. */
export function preparedBy(source: Record<string, string | undefined>): boolean {
  return source.DATABASE_PREPARED?.trim() !== '0';
}

/** Opens a pool and Kysely over it. Nothing connects before the first statement. */
export function openPool(options: PoolOptions): OpenPool {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolMax,
    idleTimeoutMillis: IDLE_MS,
    connectionTimeoutMillis: 10_000,
    ...(options.statementMs === undefined ? {} : { query_timeout: options.statementMs }),
    application_name: 'atelier',
  });
  outliveCuts(pool);
  // Twice its time: the pool's timer was held, and its process with it.
  leaveOverslept(pool, { restMs: 2 * IDLE_MS, nowMs: options.nowMs ?? Date.now });
  let trips = 0;
  pool.on('connect', (client) => {
    const send = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => {
      trips += 1;
      return send(...args);
    }) as typeof client.query;
  });
  const kysely = new Kysely<DB>({
    dialect: poolDialect(pool, {
      preparedStatements: options.preparedStatements ?? true,
      idleTransactionMs: options.idleTransactionMs,
    }),
  });
  return { kysely, pool, roundTrips: () => trips };
}
