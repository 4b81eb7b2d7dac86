import pg from 'pg';
import { withSession } from './session.ts';

/**
 * What the application may not do to the rows of a table, beside what no table allows it (TRUNCATE, TRIGGER, REFERENCES and whatever
 * an owner alone may do). A table that is absent here can be read, added to, changed and deleted from.
 */
export const KEPT_TABLES: Readonly<Record<string, readonly ('UPDATE' | 'DELETE' | 'INSERT')[]>> = {
  LedgerLine: ['UPDATE', 'DELETE'],
  BudgetLine: ['UPDATE', 'DELETE'],
  AuditEntry: ['UPDATE', 'DELETE'],
  Consent: ['UPDATE', 'DELETE'],
  // Erased for good when its Memory is; never rewritten.
  MemoryRevision: ['UPDATE'],
  Generation: ['DELETE'],
  Wallet: ['DELETE'],
  Account: ['DELETE'],
  _prisma_migrations: ['INSERT', 'UPDATE', 'DELETE'],
};

const POSSIBLE = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const;
/** The lock of whoever migrates: rights are given one process at a time. */
const RIGHTS_LOCK = 4_207_313;

/** The user of a database address. */
export function roleOf(url: string): string {
  return decodeURIComponent(new URL(url).username);
}

/**
 * Gives `role` what the application needs in this database and nothing more, and takes the rest away; run it after every migration,
 * as the owner. Does nothing, and takes no lock, when the rights are what they should be. Returns whether it changed any.
 */
export async function grantApplicationRights(ownerUrl: string, role: string): Promise<boolean> {
  return withSession(ownerUrl, async (client) => {
    if ((await isRight(client, role)) && !(await mayMakeTables(client, role))) return false;
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [RIGHTS_LOCK]);
    for (const statement of await statements(client, role)) await client.query(statement);
    if (!(await isRight(client, role)))
      throw new Error(
        `The role ${role} keeps rights that an application must not have: is it a superuser, or a member of the owner's role?`,
      );
    await client.query('commit');
    return true;
  });
}

/**
 * SQL for the end of the transaction that makes tables and sequences: gives `role` its rights on those that it cannot read yet. What triggers of
 * the same migration write to a new table, they write as the application, from the first statement after it on. A role that is not there gets nothing.
 */
export function newRightsScript(role: string): string {
  return `do $rights$
declare
  application constant name := ${pg.escapeLiteral(role)};
  kept constant jsonb := ${pg.escapeLiteral(JSON.stringify(KEPT_TABLES))};
  made record;
begin
  if not exists (select from pg_roles where rolname = application) then return; end if;
  for made in
    select c.relname::text as name, c.relkind = 'S' as is_sequence from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S')
      and not has_table_privilege(application, c.oid, 'SELECT')
  loop
    if made.is_sequence then
      execute format('grant usage, select on sequence public.%I to %I', made.name, application);
    else
      execute format('grant %s on table public.%I to %I',
        (select string_agg(possible, ', ') from unnest(array[${POSSIBLE.map((right) => `'${right}'`).join(', ')}]) as possible
          where not coalesce(jsonb_exists(kept -> made.name, possible), false)),
        made.name, application);
    end if;
  end loop;
end $rights$;`;
}

type Table = { name: string; kind: 'table' | 'sequence' };

async function relations(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select relname as name, case relkind when 'S' then 'sequence' else 'table' end as kind
       from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S') order by 1`,
  );
  return rows;
}

function allowed({ name, kind }: Table): string[] {
  if (kind === 'sequence') return ['USAGE', 'SELECT'];
  const kept: readonly string[] = KEPT_TABLES[name] ?? [];
  return POSSIBLE.filter((right) => !kept.includes(right));
}

/** Every right on every table and sequence is compared, and that nothing can be made in the schema. */
async function isRight(client: pg.Client, role: string): Promise<boolean> {
  const rights: { name: string; right: string; wanted: boolean }[] = [];
  for (const table of await relations(client)) {
    const wanted = allowed(table);
    const possible =
      table.kind === 'sequence'
        ? ['USAGE', 'SELECT', 'UPDATE']
        : [...POSSIBLE, 'TRUNCATE', 'REFERENCES', 'TRIGGER'];
    for (const right of possible) rights.push({ name: table.name, right, wanted: wanted.includes(right) });
  }
  const { rows } = await client.query<{ right: boolean }>(
    `select not has_schema_privilege($1::name, 'public', 'CREATE') and has_schema_privilege($1::name, 'public', 'USAGE')
       and not exists (
         select from jsonb_to_recordset($2::jsonb) as r(name text, "right" text, wanted boolean)
         where r.wanted is distinct from (case when r."right" = 'USAGE'
           then has_sequence_privilege($1::name, format('public.%I', r.name), r."right")
           else has_table_privilege($1::name, format('public.%I', r.name), r."right") end)) as right`,
    [role, JSON.stringify(rights)],
  );
  return rows[0]?.right === true;
}

/** A table of a session's own would stand before those of everybody in its connection, which others use after it. */
async function mayMakeTables(client: pg.Client, role: string): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    `select has_database_privilege($1::name, current_database(), 'TEMP') as may`,
    [role],
  );
  return rows[0]?.may === true;
}

async function statements(client: pg.Client, role: string): Promise<string[]> {
  const to = client.escapeIdentifier(role);
  const named = (table: Table) => `${table.kind} public.${client.escapeIdentifier(table.name)}`;
  const all = await relations(client);
  const { rows } = await client.query<{ name: string }>('select current_database() as name');
  const database = client.escapeIdentifier(rows[0]?.name ?? '');
  return [
    `revoke temporary on database ${database} from public`,
    'revoke create on schema public from public',
    `revoke create on schema public from ${to}`,
    `grant usage on schema public to ${to}`,
    ...all.map((table) => `revoke all on ${named(table)} from ${to}`),
    ...all.map((table) => `grant ${allowed(table).join(', ')} on ${named(table)} to ${to}`),
  ];
}

/**
 * Makes the role under which an application signs in, or sets its password again: no superuser, no right to make roles or databases,
 * no way round row rights. As a superuser.
 */
export async function ensureApplicationRole(
  client: pg.Client,
  { role, password }: { role: string; password: string },
): Promise<void> {
  const name = client.escapeIdentifier(role);
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [role]);
  const verb = rowCount === 0 ? 'create' : 'alter';
  await client.query(
    `${verb} role ${name} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password ${client.escapeLiteral(password)}`,
  );
}
