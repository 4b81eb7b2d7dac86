import type pg from 'pg';
import type { Queries } from '#lib/db/types.ts';
import type { TestService } from '#tests/setup/service.ts';
import { interceptedQueries, type Statement } from './intercepted-queries.ts';

const EXPLAIN = 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF)';

/** Ways of reading that are as good as any in a small table: with them off, a plan shows which indexes there are. */
export const NO_SHORT_CUTS = ['enable_seqscan', 'enable_bitmapscan', 'enable_sort'] as const;

type Explained = {
  of: (statement: Statement) => boolean;
  /** Settings of the planner that are off. */
  off?: readonly string[];
  /** Indexes that the planner is not offered: which of two it takes depends on the order of identifiers made by chance. */
  without?: readonly string[];
  /** By the plan that a prepared statement keeps whatever its values. */
  generic?: boolean;
};

/**
 * Queries that add to `plans`, before each statement of `of`, how PostgreSQL runs it: as the tables' owner, in a transaction of its own
 * that is rolled back.
 */
export function explainedQueries(
  service: Pick<TestService, 'connection' | 'pool'>,
  { of, off = [], without = [], generic = false }: Explained,
): { kysely: Queries; plans: string[] } {
  const plans: string[] = [];
  const kysely = interceptedQueries(service.connection.pool, {
    async before(statement) {
      if (!of(statement)) return;
      const client = await service.pool.connect();
      try {
        await client.query('BEGIN');
        for (const setting of off) await client.query(`SET LOCAL ${setting} = off`);
        for (const index of without) await client.query(`DROP INDEX ${client.escapeIdentifier(index)}`);
        const { rows } = await (generic ? explainGeneric(client, statement) : explain(client, statement));
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
        await client.query('ROLLBACK');
      } finally {
        // A statement that was prepared stays with its connection.
        client.release(true);
      }
    },
  });
  return { kysely, plans };
}

/** How many rows a plan reads of a table, by the alias that it has there, for one of its common table expressions. */
export function rowsReadFor(
  plan: string | undefined,
  { cte, table, alias }: { cte: string; table: string; alias: string },
): number {
  const scan = new RegExp(`CTE ${cte}\\n[\\s\\S]*?on "${table}" ${alias}\\w* \\(actual[^)]*?rows=([\\d.]+)`);
  return Number(scan.exec(plan ?? '')?.[1]);
}

function explain(client: pg.PoolClient, { text, parameters }: Statement): Promise<pg.QueryResult> {
  return client.query(`${EXPLAIN} ${text}`, [...parameters]);
}

async function explainGeneric(
  client: pg.PoolClient,
  { text, parameters }: Statement,
): Promise<pg.QueryResult> {
  await client.query('SET LOCAL plan_cache_mode = force_generic_plan');
  await client.query(`PREPARE explained AS ${text}`);
  const literal = (value: unknown) => {
    if (value === null) return 'NULL';
    if (Array.isArray(value))
      return client.escapeLiteral(`{${value.map((one) => JSON.stringify(String(one))).join(',')}}`);
    return client.escapeLiteral(value instanceof Date ? value.toISOString() : String(value));
  };
  return client.query(`${EXPLAIN} EXECUTE explained(${parameters.map(literal).join(', ')})`);
}
