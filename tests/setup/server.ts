import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { testFolder } from '#lib/local/paths.ts';
import { ensureApplicationRole, KEPT_TABLES, roleOf } from '#lib/local/postgres/rights.ts';
import { openPostgres } from '#lib/local/postgres/server.ts';
import { withSession } from '#lib/local/postgres/session.ts';
import { migrateDatabase } from '#lib/local/prisma/migrate.ts';
import { migrationsFingerprint } from '#lib/local/prisma/migrations.ts';
import { isAlive } from '#lib/local/processes.ts';
import { dropKept } from './kept-databases.ts';

/** What a test file needs to clone a database; the global setup provides it to the workers. */
export type TestServer = {
  url: string;
  template: string;
  /** The same server, signed in as the application's role. */
  appUrl: string;
  /** The process of the run under which returned databases are kept until it ends; undefined if each is dropped (`tests/setup/kept-databases.ts`). */
  keptFor?: number;
};

/**
 * The server of a test run: `TEST_DATABASE_URL` if set, else the embedded one of this clone, which simultaneous runs share. Its template database,
 * named after the migrations, is built once and kept. With `TEST_DATABASE_POOLER` (host:port), the application's connections go through that pooler.
 */
export async function startTestServer(): Promise<TestServer & { release(): Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL?.trim();
  if (given) {
    const app = await givenApplication(given);
    return {
      url: given,
      appUrl: pooled(app.appUrl),
      template: await ensureTemplate(given, app.appUrl),
      release: async () => undefined,
    };
  }
  await mkdir(testFolder(), { recursive: true });
  const server = await openPostgres({ dataDir: testFolder(), database: 'atelier_tests', durable: false });
  try {
    await deleteLeftovers(server.url);
    const { url, appUrl } = server;
    const template = await ensureTemplate(url, appUrl);
    const release = async () => {
      await dropKept(url, process.pid).finally(() => server.release());
    };
    return { url, appUrl, template, keptFor: process.pid, release };
  } catch (error) {
    await server.release();
    throw error;
  }
}

/** The address of another database on the same server. */
export function addressOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** A role for the application on the given server. Its password is derived from the server's address, so only those who have that address know it. */
async function givenApplication(serverUrl: string): Promise<{ appUrl: string }> {
  const app = { role: 'atelier_app_tests', password: createHash('sha256').update(serverUrl).digest('hex') };
  await withSession(serverUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [4_207_312]);
    await ensureApplicationRole(client, app);
  });
  const url = new URL(serverUrl);
  [url.username, url.password] = [app.role, app.password];
  return { appUrl: url.href };
}

function pooled(appUrl: string): string {
  const pooler = process.env.TEST_DATABASE_POOLER?.trim();
  const url = new URL(appUrl);
  if (pooler) url.host = pooler;
  return url.href;
}

async function ensureTemplate(serverUrl: string, appUrl: string): Promise<string> {
  const rights = createHash('sha256')
    .update(JSON.stringify([KEPT_TABLES, roleOf(appUrl)]))
    .digest('hex');
  const name = `template_${await migrationsFingerprint()}_${rights.slice(0, 8)}`;
  await withSession(serverUrl, async (client) => {
    // Held until the session ends, so that two runs that start together build the template once.
    await client.query('select pg_advisory_lock($1)', [4_207_312]);
    const known = await client.query<{ name: string }>(
      "select datname as name from pg_database where datname like 'template\\_%'",
    );
    if (known.rows.some((row) => row.name === name)) return;
    for (const row of known.rows)
      await client.query(`drop database if exists "${row.name}"`).catch(() => undefined);
    const draft = `building_${name}`;
    await client.query(`drop database if exists "${draft}" with (force)`);
    await client.query(`create database "${draft}" template template0`);
    await migrateDatabase({ ownerUrl: addressOf(serverUrl, draft), url: addressOf(appUrl, draft) });
    await client.query(`alter database "${draft}" rename to "${name}"`);
  });
  return name;
}

/** Drops databases of runs that were killed; a database's name contains the process of its run. */
async function deleteLeftovers(serverUrl: string): Promise<void> {
  await withSession(serverUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "select datname as name from pg_database where datname like 'test\\_%'",
    );
    for (const { name } of rows) {
      const pid = Number(name.split('_')[1]);
      if (!isAlive(pid)) await client.query(`drop database if exists "${name}" with (force)`);
    }
  });
}
