import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import pg from 'pg';
import { statementName } from './prepared.ts';

// BIGINT columns are money or counts: never a float, never a string. Prisma parses its own.
const columnTypes = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === pg.types.builtins.INT8 && format !== 'binary') return (value: string) => BigInt(value);
    return pg.types.getTypeParser(oid, format as 'text');
  },
} as pg.CustomTypesConfig;

type DriverOptions = {
  /**
   * Whether statements made by `prepared` keep one server-side prepared statement per connection. A pooler in transaction mode
   * that does not follow prepared statements needs false.
   */
  preparedStatements: boolean;
  /**
   * PostgreSQL ends a transaction that sends nothing for this long, and its locks with it: a process that stopped in the middle of one holds
   * no row. Default: a minute, far above what is worked out between two statements.
   */
  idleTransactionMs?: number | undefined;
};

const IDLE_TRANSACTION_MS = 60_000;

/** SQLSTATE of a write in a server or a transaction that takes reads alone; none of ours is read only. */
const READ_ONLY = '25006';

/** Kysely on the pool that Prisma shares. Closing the pool is the pool owner's business. */
export function poolDialect(pool: pg.Pool, options: DriverOptions): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new PoolDriver(pool, options),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

class PoolDriver implements Driver {
  readonly #pool: pg.Pool;
  readonly #options: DriverOptions;
  readonly #tables: Tables = { changes: 0 };

  constructor(pool: pg.Pool, options: DriverOptions) {
    this.#pool = pool;
    this.#options = options;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PoolConnection> {
    const client = await this.#pool.connect().catch((error) => {
      throw withStatement(error, 'connect');
    });
    return new PoolConnection(client, this.#options, this.#tables);
  }

  async beginTransaction(connection: PoolConnection, settings: TransactionSettings): Promise<void> {
    const level = settings.isolationLevel ? ` ISOLATION LEVEL ${settings.isolationLevel}` : '';
    const access = settings.accessMode ? ` ${settings.accessMode}` : '';
    const idleMs = this.#options.idleTransactionMs ?? IDLE_TRANSACTION_MS;
    connection.broken = true;
    // One message, one round trip; of the transaction alone: behind a pooler the connection is another client’s next.
    await connection.send('begin', {
      text: `BEGIN${level}${access}; SET LOCAL idle_in_transaction_session_timeout = ${idleMs}`,
    });
  }

  async commitTransaction(connection: PoolConnection): Promise<void> {
    const { command } = await connection.send('commit', { text: 'COMMIT' });
    connection.broken = false;
    // PostgreSQL answers ROLLBACK to the COMMIT of a transaction in which a statement failed.
    if (command === 'ROLLBACK')
      throw new Error('the transaction was rolled back: one of its statements failed');
  }

  async rollbackTransaction(connection: PoolConnection): Promise<void> {
    // A ROLLBACK would wait behind the unanswered statement: the connection is closed instead, and the server rolls back.
    if (connection.unanswered) return;
    try {
      await connection.send('rollback', { text: 'ROLLBACK' });
      connection.broken = false;
    } catch {
      // The original error is reported. A connection that cannot roll back is closed: the server does it.
    }
  }

  async releaseConnection(connection: PoolConnection): Promise<void> {
    connection.release();
  }

  async destroy(): Promise<void> {}
}

class PoolConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  /** In a transaction whose end is not known: thrown away at release, so that the server rolls back. */
  broken = false;
  /** Its server is read-only (a standby, a demoted primary): a new connection reaches the current primary. */
  readOnly = false;
  /** A statement timed out: the server may still be running it, so this connection is not reused. */
  unanswered = false;
  #released = false;
  /** Why the server or the network cut it. Between two statements nothing awaits an answer: an unhandled error event would end the process. */
  #lost: Error | undefined;
  readonly #hear = (error: Error) => {
    // The server’s own reason comes first, then that the connection is gone.
    this.#lost ??= error;
  };
  readonly #options: DriverOptions;
  readonly #tables: Tables;

  constructor(client: pg.PoolClient, options: DriverOptions, tables: Tables) {
    this.#client = client;
    this.#options = options;
    this.#tables = tables;
    client.on('error', this.#hear);
  }

  release(): void {
    this.#released = true;
    this.#client.off('error', this.#hear);
    this.#client.release(this.#lost ?? (this.broken || this.unanswered || this.readOnly));
  }

  /** Runs one query; its failure has the statement's name and, when the connection was cut before it, why. */
  async send(statement: string, query: pg.QueryConfig): Promise<pg.QueryResult> {
    try {
      return await this.#client.query(query);
    } catch (error) {
      if (this.#lost && error instanceof Error) error.cause ??= this.#lost;
      if ((error as { code?: unknown } | null)?.code === READ_ONLY) this.readOnly = true;
      if (isGivenUp(error)) {
        this.unanswered = true;
        error.code = 'ETIMEDOUT';
      }
      throw withStatement(error, statement);
    }
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    // A statement that nobody awaited would otherwise run on its own, outside of its transaction.
    if (this.#released) throw new Error('this transaction is over');
    const name = statementName(query.sql);
    const values = query.parameters.map((value) => (value instanceof Date ? value.toISOString() : value));
    const label = name?.label ?? query.sql.slice(0, 60);
    const key = this.#options.preparedStatements ? name?.key : undefined;
    const run = () => {
      const statement = key === undefined ? { text: query.sql } : statementOf(key, query.sql, this.#tables);
      return this.send(label, { ...statement, values, types: columnTypes });
    };
    const { changes } = this.#tables;
    const { command, rowCount, rows } = await run().catch((error: unknown) => {
      if (key === undefined || !isOfFormerTables(error)) throw error;
      // A concurrent statement that met the same change has counted it.
      if (this.#tables.changes === changes) this.#tables.changes += 1;
      // Nothing of the statement was run; a transaction failed with it all the same.
      if (this.broken) throw error;
      return run();
    });
    const isWrite =
      command === 'INSERT' || command === 'UPDATE' || command === 'DELETE' || command === 'MERGE';
    return { rows: rows ?? [], ...(isWrite ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}) };
  }

  // biome-ignore lint/correctness/useYield: cursors are not offered
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('streaming is not supported');
  }
}

/** How often this process found that tables had changed under its prepared statements. */
type Tables = { changes: number };

/**
 * A prepared statement under its name. After a change of tables all are parsed again, under another name and another text: a pooler that
 * shares a server connection tells statements apart by their text.
 */
function statementOf(key: string, text: string, { changes }: Tables): { name: string; text: string } {
  return changes === 0
    ? { name: key, text }
    : { name: `${key}.${changes}`, text: `${text} /* ${changes} */` };
}

/** Whether a column came or went among those that a prepared statement answers: PostgreSQL refuses it for as long as the connection lives. */
function isOfFormerTables(error: unknown): boolean {
  const { code, routine } = (error ?? {}) as { code?: unknown; routine?: unknown };
  return code === '0A000' && routine === 'RevalidateCachedQuery';
}

/** Whether node-postgres timed out the statement (`statementMs`), which has no error code. */
function isGivenUp(error: unknown): error is Error & { code?: string } {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** The error itself, with the statement that failed: its name or how it begins, never its values. */
function withStatement(error: unknown, statement: string): unknown {
  return error instanceof Error ? Object.assign(error, { statement }) : error;
}
