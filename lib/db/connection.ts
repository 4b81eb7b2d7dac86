import { PrismaPg } from '@prisma/adapter-pg';
import { Kysely } from 'kysely';
import pg from 'pg';
import { columnTypes, poolDialect } from './driver.ts';
import { PrismaClient } from './generated/prisma/client.ts';
import type { Database, DB, Queries } from './types.ts';

export type { Database, Queries };
/** What a verb receives inside a Prisma transaction. */
export type Transaction = Parameters<Parameters<PrismaClient['$transaction']>[0]>[0];

/** Prepared statements inside one transaction. */
export type SqlTransaction = {
  /** Runs one prepared statement (one round trip) and returns its rows. `name` identifies the text: one name, one text. */
  rows<Row>(name: string, text: string, params: readonly unknown[]): Promise<Row[]>;
};

export type Sql = SqlTransaction & {
  /**
   * Runs `work` in one transaction on one connection: committed when it returns, rolled back when it throws. When the
   * commit itself throws (a lost connection), the outcome is unknown and the caller has to read it back.
   */
  transaction<T>(work: (tx: SqlTransaction) => Promise<T>): Promise<T>;
};

export type Connection = {
  db: Database;
  kysely: Queries;
  sql: Sql;
  pool: pg.Pool;
  /** Round trips to the server since the connection was made; tests count them. */
  roundTrips(): number;
  close(): Promise<void>;
};

/** Opens a pool and a Prisma client over it. */
export function connect(options: {
  url: string;
  poolMax: number;
  /** Default true; see `DriverOptions`. */
  preparedStatements?: boolean;
}): Connection {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolMax,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 10_000,
    application_name: 'atelier',
  });
  // A broken idle connection is replaced at next use; without a listener it would end the process.
  pool.on('error', () => {});
  let trips = 0;
  pool.on('connect', (client) => {
    const send = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => {
      trips += 1;
      return send(...args);
    }) as typeof client.query;
  });
  const db = new PrismaClient({ adapter: new PrismaPg(pool) });
  const kysely = new Kysely<DB>({
    dialect: poolDialect(pool, { preparedStatements: options.preparedStatements ?? true }),
  });
  return {
    db,
    kysely,
    sql: {
      async rows(name, text, params) {
        const result = await pool.query({ name, text, values: params as unknown[], types: columnTypes });
        return result.rows;
      },
      transaction: (work) => transaction(pool, work),
    },
    pool,
    roundTrips: () => trips,
    async close() {
      await db.$disconnect();
      if (!pool.ended) await pool.end();
    },
  };
}

async function transaction<T>(pool: pg.Pool, work: (tx: SqlTransaction) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken = true;
  let over = false;
  try {
    await client.query('BEGIN');
    const result = await work({
      async rows(name, text, params) {
        // A statement that nobody awaited would otherwise run on its own, outside of everything.
        if (over) throw new Error('this transaction is over');
        return (await client.query({ name, text, values: params as unknown[], types: columnTypes })).rows;
      },
    });
    over = true;
    await client.query('COMMIT');
    broken = false;
    return result;
  } catch (error) {
    over = true;
    // A connection that cannot even roll back is thrown away: the server rolls back when it closes.
    broken = await client.query('ROLLBACK').then(
      () => false,
      () => true,
    );
    throw error;
  } finally {
    client.release(broken);
  }
}
