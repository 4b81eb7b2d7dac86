import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from './generated/client.ts';

export type Database = PrismaClient;
/** What a verb receives inside a transaction. */
export type Transaction = Parameters<Parameters<PrismaClient['$transaction']>[0]>[0];

export type Sql = {
  /** Runs one prepared statement (one round trip) and returns its rows. `name` identifies the text: one name, one text. */
  rows<Row>(name: string, text: string, params: readonly unknown[]): Promise<Row[]>;
};

export type Connection = {
  db: Database;
  sql: Sql;
  pool: pg.Pool;
  /** Round trips to the server since the connection was made; tests count them. */
  roundTrips(): number;
  close(): Promise<void>;
};

// BIGINT columns of prepared statements are money or counts: never a float, never a string.
pg.types.setTypeParser(pg.types.builtins.INT8, (value) => BigInt(value));

/** Opens a pool and a Prisma client over it. */
export function connect(options: { url: string; poolMax: number }): Connection {
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
  return {
    db,
    sql: {
      async rows(name, text, params) {
        const result = await pool.query({ name, text, values: params as unknown[] });
        return result.rows;
      },
    },
    pool,
    roundTrips: () => trips,
    async close() {
      await db.$disconnect();
      if (!pool.ended) await pool.end();
    },
  };
}
