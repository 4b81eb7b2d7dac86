import type pg from 'pg';

/** Prisma's own list of migrations: a restored database writes it itself, and must say the same. */
const MIGRATIONS_TABLE = '_prisma_migrations';

type TableOf = { name: string; columns: string[]; refersTo: string[] };

/** The tables of a database with the columns that are written (not computed), each after those that it refers to. */
export async function listTables(client: pg.Client): Promise<TableOf[]> {
  const { rows } = await client.query<TableOf>(
    `select c.relname as name,
       array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
         and a.attgenerated = '' order by a.attnum) as columns,
       array(select distinct other.relname::text from pg_constraint f join pg_class other on other.oid = f.confrelid
         where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as "refersTo"
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> $1 order by 1`,
    [MIGRATIONS_TABLE],
  );
  return inOrder(rows);
}

/** Throws when tables refer to each other in a ring: then no order of writing exists. */
export function inOrder(tables: readonly TableOf[]): TableOf[] {
  const left = [...tables];
  const ordered: TableOf[] = [];
  while (left.length > 0) {
    const next = left.findIndex(({ refersTo }) =>
      refersTo.every((name) => !left.some((one) => one.name === name)),
    );
    if (next < 0)
      throw new Error(
        `These tables refer to each other in a ring: ${left.map((one) => one.name).join(', ')}`,
      );
    ordered.push(...left.splice(next, 1));
  }
  return ordered;
}

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

export type SequenceState = { name: string; lastValue: string; isCalled: boolean };

/** Every sequence and where it stands. */
export async function readSequences(client: pg.Client): Promise<SequenceState[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S' order by 1`,
  );
  const states: SequenceState[] = [];
  for (const { name } of rows) {
    const { rows: state } = await client.query<{ last: string; called: boolean }>(
      `select last_value::text as last, is_called as called from public.${quoted(name)}`,
    );
    states.push({ name, lastValue: state[0]?.last ?? '1', isCalled: state[0]?.called ?? false });
  }
  return states;
}

/** Names and checksums of the applied migrations, in order. */
export async function readApplied(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ said: string }>(
    `select migration_name || ' ' || checksum as said from ${quoted(MIGRATIONS_TABLE)} where finished_at is not null order by 1`,
  );
  return rows.map(({ said }) => said);
}
