import type pg from 'pg';
import { withSession } from '#lib/local/postgres/session.ts';
import type { TestServer } from './server.ts';

/** More than the template's size: a database that has grown this much is faster to drop than to empty. */
const MAX_GROWN_BYTES = 16 * 2 ** 20;
const FOUND_NO_MORE = '3D000';

const prefixOf = (run: number) => `test_${run}_kept_`;

/**
 * Empties the database of a finished test file and keeps it for the next file of the run, under another name and without connections; if its schema,
 * settings, size or statistics differ from the template's, drops it. Returns false if the caller must drop it: nothing is kept here, or this failed.
 */
export async function keep(server: TestServer, name: string): Promise<boolean> {
  if (server.keptFor === undefined) return false;
  const kept = `${prefixOf(server.keptFor)}${name}`;
  try {
    return await withSession(server.url, async (client) => {
      await client.query('select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1', [
        name,
      ]);
      await client.query(`alter database "${name}" rename to "${kept}_dirty"`);
      const isClean = await withSession(withDatabase(server.url, `${kept}_dirty`), async (inside) => {
        const template = await stateOfTemplate(server);
        const before = await stateOf(inside);
        if (before.schema !== template.schema || before.bytes > template.bytes + MAX_GROWN_BYTES)
          return false;
        if (await hasSettings(inside)) return false;
        await empty(inside, template.filled);
        return (await rowsOf(inside, template.filled)) === template.rows;
      });
      if (isClean) await client.query(`alter database "${kept}_dirty" rename to "${kept}"`);
      else await client.query(`drop database "${kept}_dirty" with (force)`);
      return true;
    });
  } catch {
    // Whatever the test did to the database, no other file gets it.
    await withSession(server.url, (client) =>
      client.query(`drop database if exists "${kept}_dirty" with (force)`),
    ).catch(() => undefined);
    return false;
  }
}

/** Renames a kept database of this run to `name`. Returns false if there is none. */
export async function takeKept(client: pg.Client, server: TestServer, name: string): Promise<boolean> {
  if (server.keptFor === undefined) return false;
  const { rows } = await client.query<{ name: string }>(
    `select datname as name from pg_database where datname like $1 and datname not like '%\\_dirty'`,
    [`${prefixOf(server.keptFor).replaceAll('_', '\\_')}%`],
  );
  for (const row of rows)
    try {
      await client.query(`alter database "${row.name}" rename to "${name}"`);
      return true;
    } catch (error) {
      // Another worker took it first.
      if ((error as { code?: string }).code !== FOUND_NO_MORE) return false;
    }
  return false;
}

/** Drops the databases that a run has kept. */
export async function dropKept(serverUrl: string, run: number): Promise<void> {
  await withSession(serverUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      'select datname as name from pg_database where datname like $1',
      [`${prefixOf(run).replaceAll('_', '\\_')}%`],
    );
    for (const { name } of rows) await client.query(`drop database if exists "${name}" with (force)`);
  });
}

type Template = {
  /** Sums over the rows of the catalogs that describe the schema: a row that was written again changes its sum. */
  schema: string;
  bytes: number;
  /** The tables that have rows after the migrations. */
  filled: string[];
  /** Checksums of these rows. */
  rows: string;
};

let template: Promise<Template> | undefined;

function stateOfTemplate(server: TestServer): Promise<Template> {
  template ??= withSession(withDatabase(server.url, server.template), async (client) => {
    const filled = await filledTables(client);
    return { ...(await stateOf(client)), filled, rows: await rowsOf(client, filled) };
  });
  return template;
}

const CATALOGS = [
  'pg_class',
  'pg_attribute',
  'pg_attrdef',
  'pg_constraint',
  'pg_index',
  'pg_proc',
  'pg_trigger',
  'pg_type',
  'pg_namespace',
  'pg_extension',
  'pg_policy',
  'pg_rewrite',
  'pg_statistic_ext',
  'pg_default_acl',
  'pg_cast',
];

/** The planner's statistics on our tables: if a test analysed a table, the next file's plans would be based on its rows. */
const ESTIMATES = `(select sum(hashtext(concat_ws(' ', oid, reltuples, relpages))::bigint) from pg_class where oid >= 16384),
  (select count(*) from pg_statistic where starelid >= 16384)`;

async function stateOf(client: pg.Client): Promise<Pick<Template, 'schema' | 'bytes'>> {
  const sums = CATALOGS.map((name) => {
    const place = name === 'pg_attribute' || name === 'pg_index' ? 'ctid' : 'oid';
    return `(select count(*) || ':' || sum(hashtext(${place}::text || ' ' || xmin::text)::bigint) from ${name})`;
  });
  const { rows } = await client.query<{ schema: string; bytes: string }>(
    `select concat_ws('/', ${sums.join(', ')}, ${ESTIMATES}) as schema, pg_database_size(current_database()) as bytes`,
  );
  return { schema: rows[0]?.schema ?? '', bytes: Number(rows[0]?.bytes) };
}

/** Whether the database has privileges or settings of its own, which a clone of the template has not. */
async function hasSettings(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `select from pg_database d where d.datname = current_database() and (d.datacl is not null or d.datconnlimit <> -1
       or exists (select from pg_db_role_setting s where s.setdatabase = d.oid))`,
  );
  return rows.length > 0;
}

async function tablesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
  );
  return rows.map(({ name }) => name);
}

async function filledTables(client: pg.Client): Promise<string[]> {
  const tables = await tablesOf(client);
  const { rows } = await client.query<{ name: string }>(
    tables.map((name) => `select '${name}' as name where exists (select from ${name})`).join(' union all '),
  );
  return rows.map(({ name }) => name);
}

async function rowsOf(client: pg.Client, tables: readonly string[]): Promise<string> {
  const all: string[] = [];
  for (const name of tables) {
    const { rows } = await client.query<{ sum: string }>(
      `select md5(coalesce(string_agg(t::text, '' order by t::text), '')) as sum from ${name} t`,
    );
    all.push(`${name} ${rows[0]?.sum}`);
  }
  return all.join('\n');
}

/** Deletes all rows but those of the tables that the template fills, and resets every sequence. */
async function empty(client: pg.Client, kept: readonly string[]): Promise<void> {
  const filled = (await filledTables(client)).filter((name) => !kept.includes(name));
  const deletes = filled.map((name) => `delete from ${name};`).join(' ');
  // As a replica, because triggers and foreign keys would prevent some of these deletions.
  await client.query(`begin; set local session_replication_role = replica; ${deletes}
    select setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false) from pg_sequences where last_value is not null; commit`);
}

function withDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}
