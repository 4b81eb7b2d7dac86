import { type CompiledQuery, type DatabaseConnection, type Dialect, type Driver, Kysely } from 'kysely';
import type pg from 'pg';
import { poolDialect } from '#lib/db/driver.ts';
import { statementName } from '#lib/db/prepared.ts';
import type { DB, Queries } from '#lib/db/types.ts';

export type Statement = {
  /** The label given to `prepared`, else `begin`, `commit`, `rollback`, else the text. */
  label: string;
  text: string;
  parameters: readonly unknown[];
};

/** Told before each statement reaches the database, and after it answered; a throw is what the verb sees. */
export type Interceptor = {
  before?(statement: Statement): unknown;
  after?(statement: Statement): unknown;
};

/** Queries on a real pool, each of whose statements passes through `interceptor` first: a connection that fails where a test wants it. */
export function interceptedQueries(pool: pg.Pool, interceptor: Interceptor): Queries {
  const real = poolDialect(pool, { preparedStatements: true });
  const dialect: Dialect = {
    ...real,
    createDriver: () => interceptedDriver(real.createDriver(), interceptor),
  };
  return new Kysely<DB>({ dialect });
}

function interceptedDriver(real: Driver, interceptor: Interceptor): Driver {
  const inner = new WeakMap<DatabaseConnection, DatabaseConnection>();
  const realOf = (connection: DatabaseConnection) => inner.get(connection) ?? connection;
  const through = async <T>(statement: Statement, send: () => Promise<T>): Promise<T> => {
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
      return wrapped;
    },
    beginTransaction: (connection, settings) =>
      through(control('begin'), () => real.beginTransaction(realOf(connection), settings)),
    commitTransaction: (connection) =>
      through(control('commit'), () => real.commitTransaction(realOf(connection))),
    rollbackTransaction: (connection) =>
      through(control('rollback'), () => real.rollbackTransaction(realOf(connection))),
    releaseConnection: (connection) => real.releaseConnection(realOf(connection)),
    destroy: () => real.destroy(),
  };
}
