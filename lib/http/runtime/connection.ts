import { attachDatabasePool } from '@vercel/functions/db-connections';
import { type Env, env } from '#lib/core/env.ts';
import { type Connection, connect } from '#lib/db/connection.ts';

const shared = globalThis as { atelierConnection?: Connection };

/** Connections of one instance when `DATABASE_POOL_MAX` says nothing: a function's instance serves few at once, and there are many. */
const POOL_MAX = { server: 10, function: 4 };

/** The duration declared by the longest route: the caller of a longer statement is gone. */
const STATEMENT_MS = 300_000;

/** How this instance reaches its database, by the configuration and the kind of host. */
export function connectionOptions(source: Env): Parameters<typeof connect>[0] {
  return {
    url: source.DATABASE_URL,
    poolMax: source.DATABASE_POOL_MAX ?? (source.VERCEL ? POOL_MAX.function : POOL_MAX.server),
    preparedStatements: source.DATABASE_PREPARED === '1',
    statementMs: STATEMENT_MS,
  };
}

/** The process's connection to the database, opened at first use and kept across hot reloads. */
export function connection(): Connection {
  if (!shared.atelierConnection) {
    shared.atelierConnection = connect(connectionOptions(env()));
    // A function closes its idle connections before it is suspended; elsewhere this does nothing.
    if (env().VERCEL) attachDatabasePool(shared.atelierConnection.pool);
  }
  return shared.atelierConnection;
}
