import { env } from '#lib/core/env.ts';
import { type Connection, connect } from '#lib/db/connection.ts';

const shared = globalThis as { atelierConnection?: Connection };

/** The process's connection to the database, opened at first use and kept across hot reloads. */
export function connection(): Connection {
  shared.atelierConnection ??= connect({ url: env().DATABASE_URL, poolMax: env().DATABASE_POOL_MAX });
  return shared.atelierConnection;
}
