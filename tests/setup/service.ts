import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { type Connection, connect } from '#lib/db/connection.ts';
import { outliveCuts } from '#lib/db/outlive-cuts.ts';
import { preparedBy } from '#lib/db/pool.ts';
import type { Database, Queries } from '#lib/db/types.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

export type TestService = {
  /** The address of the test file's own database with the application's role, under whose privileges the tested code runs. */
  readonly databaseUrl: string;
  /** The same, with the owner of the tables. */
  readonly ownerUrl: string;
  readonly connection: Connection;
  readonly db: Database;
  readonly kysely: Queries;
  /** Connections of the owner, for changes that a test makes without the service. */
  readonly pool: pg.Pool;
};

/** The longest wait for a connection. It only ends one that would never end. */
const TURN_MS = 240_000;

/**
 * Gives a test file its own database from before its first test to after its last: `const service = useTestService();` at the top of the file, then
 * `service.db`, `service.pool` inside tests.
 */
export function useTestService(options: { poolMax?: number } = {}): TestService {
  let database: TestDatabase | undefined;
  let connection: Connection | undefined;
  let pool: pg.Pool | undefined;

  beforeAll(async () => {
    database = await createTestDatabase();
    connection = connect({
      url: database.url,
      poolMax: options.poolMax ?? 10,
      preparedStatements: preparedBy(process.env),
    });
    // Of many requests at once the last waits for all others: on a slow machine for longer than the ten seconds of the service.
    connection.pool.options.connectionTimeoutMillis = TURN_MS;
    pool = new pg.Pool({ connectionString: database.ownerUrl, max: 4 });
    outliveCuts(pool);
  });
  afterAll(async () => {
    await connection?.close();
    await pool?.end();
    await database?.drop();
  });

  const ready = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('The service exists only inside tests and after beforeAll.');
    return value;
  };
  return {
    get databaseUrl() {
      return ready(database).url;
    },
    get ownerUrl() {
      return ready(database).ownerUrl;
    },
    get connection() {
      return ready(connection);
    },
    get db() {
      return ready(connection).db;
    },
    get kysely() {
      return ready(connection).kysely;
    },
    get pool() {
      return ready(pool);
    },
  };
}
