import { sql } from 'kysely';
import type { TestService } from '#tests/setup/service.ts';

/** Every table that says one of these, in any column, bytes included, whatever the case. */
export async function tablesHolding(
  service: Pick<TestService, 'kysely'>,
  ...sentences: string[]
): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string; bytes: string[] }>`
    select c.relname as name, coalesce(array_agg(a.attname::text) filter (where a.atttypid = 'bytea'::regtype), '{}') as bytes
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' group by 1 order by 1`.execute(
    service.kysely,
  );
  const held: string[] = [];
  for (const { name, bytes } of tables) {
    const columns = [sql`t::text`, ...bytes.map((column) => sql`encode(t.${sql.ref(column)}, 'escape')`)];
    for (const sentence of sentences) {
      const found = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(name)} t
        where ${sql.join(
          columns.map((column) => sql`${column} ilike ${`%${sentence}%`}`),
          sql` or `,
        )}`.execute(service.kysely);
      if ((found.rows[0]?.n ?? 0) > 0) held.push(name);
    }
  }
  return [...new Set(held)];
}
