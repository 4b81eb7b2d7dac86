import { getContext } from '#lib/brain/context/get-context.ts';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { searchMemories } from '#lib/brain/search/search-memories.ts';
import { createId } from '#lib/core/ids.ts';
import type { Connection } from '#lib/db/connection.ts';
import type { StudioContext } from '#lib/studio/context.ts';
import { journalQuery, listGenerations } from '#lib/studio/journal/list-generations.ts';
import type { ScaleAccount } from './fill.ts';

export type SizeRow = {
  table: string;
  rows: number;
  heapBytes: number;
  indexBytes: number;
  /** All of its rows read out as text by the server: what a dump does at least. */
  copySeconds: number;
};
export type StatementRow = {
  verb: string;
  p50Ms: number;
  /** Node's share of it: what a function is billed for, waiting apart. */
  cpuMs: number;
  /** Rows that the scans of one call read, and the indexes that served it. */
  rowsRead: number;
  indexes: string[];
  /** Tables that it read from end to end. */
  wholeTables: string[];
};
export type WriterRow = { writers: number; accounts: number; perSecond: number; p50Ms: number };

const CALLS = 30;
const TABLES = ['Memory', 'SearchDocument', 'SearchSegment', 'SearchPage', 'Generation'];

/** Rows and bytes of the tables that grow, as the catalogue has them. */
export async function sizes({ pool }: Connection): Promise<SizeRow[]> {
  const rows: SizeRow[] = [];
  for (const table of TABLES) {
    const name = `"${table}"`;
    const { rows: found } = await pool.query<{ rows: string; heap: string; indexes: string }>(
      `select (select count(*) from ${name}) as rows, pg_table_size($1) as heap, pg_indexes_size($1) as indexes`,
      [name],
    );
    const one = found[0];
    const beganAt = performance.now();
    await pool.query(`COPY ${name} TO '/dev/null'`);
    const copySeconds = (performance.now() - beganAt) / 1_000;
    rows.push({
      table,
      rows: Number(one?.rows),
      heapBytes: Number(one?.heap),
      indexBytes: Number(one?.indexes),
      copySeconds,
    });
  }
  return rows;
}

/**
 * The hot reads of one account, while the tables hold the rows of all. Each call asks something else, at this `step` as at those before, so
 * that no answer is a kept one.
 */
export async function statements(
  connection: Connection,
  account: ScaleAccount,
  step: number,
): Promise<StatementRow[]> {
  const { ctx, spaceId } = account;
  const journal = ctx as unknown as StudioContext<typeof ctx.actor>;
  const page = (query: Record<string, string>) => () => listGenerations(journal, journalQuery.parse(query));
  const asked = (n: number) => 100 * step + n;
  const verbs: [string, (n: number) => Promise<unknown>][] = [
    ['context of a Space (500 Memories)', (n) => getContext(ctx, { spaceId, maxChars: 2_000 + asked(n) })],
    [
      'search of the account (10,000 Memories)',
      (n) => searchMemories(ctx, { q: `commande ${asked(n)} lampe`, limit: 10 }),
    ],
    ['journal, first page', page({})],
    ['journal, failed ones', page({ status: 'failed' })],
    ['journal, a common word', page({ q: 'lampe' })],
    ['journal, a rare word', page({ q: 'bougie' })],
  ];
  const rows: StatementRow[] = [];
  for (const [verb, call] of verbs) rows.push(await statement(connection, verb, call));
  return rows;
}

type Scans = { tables: Map<string, number>; indexes: Map<string, { scans: number; rows: number }> };

async function scans({ pool }: Connection): Promise<Scans> {
  await pool.query('select pg_stat_force_next_flush()');
  const tables = await pool.query<{ name: string; read: string }>(
    'select relname as name, seq_tup_read as read from pg_stat_user_tables',
  );
  const indexes = await pool.query<{ name: string; scans: string; rows: string }>(
    'select indexrelname as name, idx_scan as scans, idx_tup_read as rows from pg_stat_user_indexes',
  );
  return {
    tables: new Map(tables.rows.map(({ name, read }) => [name, Number(read)])),
    indexes: new Map(
      indexes.rows.map(({ name, scans, rows }) => [name, { scans: Number(scans), rows: Number(rows) }]),
    ),
  };
}

async function statement(
  connection: Connection,
  verb: string,
  call: (n: number) => Promise<unknown>,
): Promise<StatementRow> {
  for (let n = 0; n < 5; n += 1) await call(1_000 + n);
  const before = await scans(connection);
  const cpu = process.cpuUsage();
  const times: number[] = [];
  for (let n = 0; n < CALLS; n += 1) {
    const at = performance.now();
    await call(n);
    times.push(performance.now() - at);
  }
  const { user, system } = process.cpuUsage(cpu);
  const after = await scans(connection);
  let rowsRead = 0;
  const indexes: string[] = [];
  for (const [name, now] of after.indexes) {
    const was = before.indexes.get(name);
    const rows = now.rows - (was?.rows ?? 0);
    if (now.scans > (was?.scans ?? 0) && rows > 0) indexes.push(name);
    rowsRead += rows;
  }
  const wholeTables: string[] = [];
  for (const [name, now] of after.tables) {
    const rows = now - (before.tables.get(name) ?? 0);
    if (rows > 100 * CALLS) wholeTables.push(name);
    rowsRead += rows;
  }
  times.sort((a, b) => a - b);
  return {
    verb,
    p50Ms: times[CALLS >> 1] ?? 0,
    cpuMs: (user + system) / 1_000 / CALLS,
    rowsRead: Math.round(rowsRead / CALLS),
    indexes,
    wholeTables,
  };
}

/** Memories added by so many writers at once, spread over the accounts given: on one, each waits for the account's row. */
export async function writers(
  accounts: readonly ScaleAccount[],
  count: number,
  total = 240,
): Promise<WriterRow> {
  const times: number[] = [];
  let left = total;
  const beganAt = performance.now();
  await Promise.all(
    Array.from({ length: count }, async (_, writer) => {
      const { ctx, spaceId } = accounts[writer % accounts.length] as ScaleAccount;
      for (; left > 0; ) {
        left -= 1;
        const at = performance.now();
        await addMemory(ctx, {
          spaceId,
          pillar: 'KNOWLEDGE',
          title: `Ajout ${writer} ${left}`,
          body: 'Une lumière chaude, posée là où l’on vit. '.repeat(8),
          parentId: null,
          source: 'API',
          idempotencyKey: createId('request'),
        });
        times.push(performance.now() - at);
      }
    }),
  );
  const seconds = (performance.now() - beganAt) / 1_000;
  times.sort((a, b) => a - b);
  return {
    writers: count,
    accounts: accounts.length,
    perSecond: total / seconds,
    p50Ms: times[total >> 1] ?? 0,
  };
}
