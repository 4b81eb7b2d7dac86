import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/prisma/client.ts';
import { type OpenPool, openPool, type PoolOptions } from './pool.ts';
import type { Database } from './types.ts';

export type Connection = OpenPool & { db: Database; close(): Promise<void> };

/** Opens a pool and a Prisma client over it. */
export function connect(options: PoolOptions): Connection {
  const { kysely, pool, roundTrips } = openPool(options);
  const db = new PrismaClient({ adapter: new PrismaPg(pool) });
  return {
    db,
    kysely,
    pool,
    roundTrips,
    async close() {
      await db.$disconnect();
      if (!pool.ended) await pool.end();
    },
  };
}
