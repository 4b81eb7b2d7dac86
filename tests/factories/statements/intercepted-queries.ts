import { type CompiledQuery, type DatabaseConnection, type Dialect, type Driver, Kysely } from 'kysely';
import type pg from 'pg';
import { poolDialect } from '#lib/db/driver.ts';
import { preparedBy } from '#lib/db/pool.ts';
import { statementName } from '#lib/db/prepared.ts';
import type { DB, Queries } from '#lib/db/types.ts';

export type Statement = {
  /** The label given to `prepared`, else `begin`, `commit`, `rollback`, else the text. */
  label: string;
  text: string;
  parameters: readonly unknown[];
};

/** Told before each statement reaches the database, and after it answered; a throw is what the verb sees. */
type Interceptor = {
  before?(statement: Statement): unknown;
  after?(statement: Statement): unknown;
  /** Instead of both: sends the statement itself, when and if it wants to. */
  around?<T>(statement: Statement, send: () => Promise<T>): Promise<T>;
  /** A connection was taken from the pool; `abort` ends its transaction and gives it back, as the server does for a client that is gone. */
  acquired?(connection: DatabaseConnection, abort: () => Promise<void>): void;
  released?(connection: DatabaseConnection): void;
};

/** Queries on a real pool, each of whose statements passes through `interceptor` first: a connection that fails where a test wants it. */
export function interceptedQueries(pool: pg.Pool, interceptor: Interceptor): Queries {
  const real = poolDialect(pool, { preparedStatements: preparedBy(process.env) });
  const dialect: Dialect = {
    ...real,
    createDriver: () => interceptedDriver(real.createDriver(), interceptor),
  };
  return new Kysely<DB>({ dialect });
}

function interceptedDriver(real: Driver, interceptor: Interceptor): Driver {
  const inner = new WeakMap<DatabaseConnection, DatabaseConnection>();
  const inTransaction = new WeakSet<DatabaseConnection>();
  const givenBack = new WeakSet<DatabaseConnection>();
  // A rollback under way when its process dies ends by itself, beside the abort that the death asked for.
  const giveBack = async (wrapped: DatabaseConnection): Promise<void> => {
    if (givenBack.has(wrapped)) return;
    givenBack.add(wrapped);
    await real.releaseConnection(realOf(wrapped));
  };
  const realOf = (connection: DatabaseConnection) => inner.get(connection) ?? connection;
  const through = async <T>(statement: Statement, send: () => Promise<T>): Promise<T> => {
    if (interceptor.around) return interceptor.around(statement, send);
    await interceptor.before?.(statement);
    const answer = await send();
    await interceptor.after?.(statement);
    return answer;
  };
  const control = (label: string): Statement => ({ label, text: label, parameters: [] });
  return {
    init: () => real.init(),
    async acquireConnection() {
      const connection = await real.acquireConnection();
      const wrapped: DatabaseConnection = {
        executeQuery: (query: CompiledQuery) =>
          through(
            {
              label: statementName(query.sql)?.label ?? query.sql,
              text: query.sql,
              parameters: query.parameters,
            },
            () => connection.executeQuery(query),
          ) as never,
        streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
      };
      inner.set(wrapped, connection);
      interceptor.acquired?.(wrapped, async () => {
        if (givenBack.has(wrapped)) return;
        if (inTransaction.has(wrapped)) await real.rollbackTransaction(connection);
        await giveBack(wrapped);
      });
      return wrapped;
    },
    async beginTransaction(connection, settings) {
      inTransaction.add(connection);
      await through(control('begin'), () => real.beginTransaction(realOf(connection), settings));
    },
    async commitTransaction(connection) {
      await through(control('commit'), () => real.commitTransaction(realOf(connection)));
      inTransaction.delete(connection);
    },
    async rollbackTransaction(connection) {
      await through(control('rollback'), () => real.rollbackTransaction(realOf(connection)));
      inTransaction.delete(connection);
    },
    releaseConnection(connection) {
      interceptor.released?.(connection);
      return giveBack(connection);
    },
    destroy: () => real.destroy(),
  };
}
