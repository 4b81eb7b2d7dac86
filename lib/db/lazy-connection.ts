import { createRequire } from 'node:module';
import type { Connection } from './connection.ts';
import { openPool, type PoolOptions } from './pool.ts';
import type { Database } from './types.ts';

/**
 * The same connection for a process that lives one command: the Prisma client, which takes longer to load than most commands take to
 * run, is loaded when a verb first reads by it. On Node alone: no bundler follows the path.
 */
export function connectLazily(options: PoolOptions): Connection {
  const { kysely, pool, roundTrips } = openPool(options);
  let client: Database | undefined;
  const load = (): Database => {
    if (client) return client;
    const require = createRequire(import.meta.url);
    const { PrismaPg } = require('@prisma/adapter-pg') as typeof import('@prisma/adapter-pg');
    const generated =
      require('./generated/prisma/client.ts') as typeof import('./generated/prisma/client.ts');
    client = new generated.PrismaClient({ adapter: new PrismaPg(pool) });
    return client;
  };
  const db = new Proxy({} as Database, {
    // Never a promise: `await` asks every object for a `then`.
    get(_, name) {
      if (name === 'then') return undefined;
      const value = Reflect.get(load(), name) as unknown;
      return typeof value === 'function' ? value.bind(load()) : value;
    },
  });
  return {
    db,
    kysely,
    pool,
    roundTrips,
    async close() {
      await client?.$disconnect();
      if (!pool.ended) await pool.end();
    },
  };
}
