import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import { statementName } from '#lib/db/prepared.ts';
import type { DB, Queries } from '#lib/db/types.ts';
import type { Statement } from './intercepted-queries.ts';

/** What a statement is answered: its rows, or how many it changed. Nothing: no row. */
export type Answer = { rows?: readonly object[]; affected?: number } | undefined;

/**
 * Queries without a database: `answer` says what each statement finds, and a throw is what the verb sees. For what a verb decides around
 * its statements; what the statements themselves decide is tried on PostgreSQL alone. `begin`, `commit` and `rollback` are told too.
 */
export function answeredQueries(answer: (statement: Statement) => Answer): Queries {
  const tell = (label: string) => async () => {
    answer({ label, text: label, parameters: [] });
  };
  const connection: DatabaseConnection = {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      const statement = { label: statementName(sql)?.label ?? sql, text: sql, parameters };
      const { rows = [], affected = rows.length } = answer(statement) ?? {};
      return { rows: rows as R[], numAffectedRows: BigInt(affected) };
    },
    streamQuery() {
      throw new Error('nothing is streamed here');
    },
  };
  return new Kysely<DB>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createDriver: () => ({
        init: async () => undefined,
        acquireConnection: async () => connection,
        beginTransaction: tell('begin'),
        commitTransaction: tell('commit'),
        rollbackTransaction: tell('rollback'),
        releaseConnection: async () => undefined,
        destroy: async () => undefined,
      }),
    },
  });
}

/** The audit entries that some statements write. */
export function auditedBy(statements: readonly Statement[]): Record<string, unknown>[] {
  return statements.flatMap(({ label, parameters }) =>
    label === 'audit.insert' ? (JSON.parse(String(parameters[0])) as Record<string, unknown>[]) : [],
  );
}
