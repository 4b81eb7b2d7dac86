import { PrismaPg } from '@prisma/adapter-pg';
import { Kysely } from 'kysely';
import pg from 'pg';
import { poolDialect } from './driver.ts';
import { PrismaClient } from './generated/prisma/client.ts';
import type { Database, DB, Queries } from './types.ts';

export type Connection = {
  db: Database;
  kysely: Queries;
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
    pool,
    roundTrips: () => trips,
    async close() {
      await db.$disconnect();
      if (!pool.ended) await pool.end();
    },
  };
}
