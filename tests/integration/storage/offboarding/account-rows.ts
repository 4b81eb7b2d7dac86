import { sql } from 'kysely';
import type { PopulatedAccount } from '#tests/factories/populated-account.ts';
import type { TestService } from '#tests/setup/service.ts';

/** The tables that name an account. */
async function accountTables(service: TestService): Promise<string[]> {
  const { rows } = await sql<{
    name: string;
  }>`select c.relname as name from pg_class c join pg_attribute a
    on a.attrelid = c.oid and a.attname = 'accountId' where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    order by 1`.execute(service.kysely);
  return rows.map(({ name }) => name);
}

/** How many rows each of them has of an account. */
export async function tablesOf(
  service: TestService,
  accountId: string,
): Promise<[table: string, held: number][]> {
  const held: [string, number][] = [];
  for (const name of await accountTables(service)) {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(name)}
      where "accountId" = ${accountId}`.execute(service.kysely);
    held.push([name, rows[0]?.n ?? 0]);
  }
  return held;
}

/** Everything that another account has, row by row. */
export async function rowsOf(
  service: TestService,
  account: Pick<PopulatedAccount, 'accountId'>,
): Promise<string> {
  const said: unknown[] = [];
  for (const name of await accountTables(service)) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} t
      where "accountId" = ${account.accountId} order by 1`.execute(service.kysely);
    said.push([name, rows.map(({ row }) => row)]);
  }
  return JSON.stringify(said);
}
