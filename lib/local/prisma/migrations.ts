import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MigrationList } from '@prisma/schema-engine-wasm';
import type pg from 'pg';
import { writeFileAtomic } from '../files.ts';
import { withSession } from '../postgres/session.ts';
import { MigrationCutShort } from './migration-cut-short.ts';
import { isWhole, SCRIPT_LOCK, type ScriptOptions } from './run-script.ts';
import { engineApply, engineDiff } from './schema-engine.ts';
import { migrationsFolder, readMigrations } from './schema-files.ts';

/** One number for everyone who migrates: PostgreSQL's advisory lock that makes them wait for each other. */
const MIGRATION_LOCK = 4_207_311;
const ASK_AGAIN_MS = 200;

/**
 * Brings a database up to `prisma/migrations` and returns the names of what was applied (empty when nothing was missing).
 * Safe to run from several processes at once, and again after one that failed or was killed: it left all of a migration or nothing, but of an
 * index that is built beside everybody (`MigrationCutShort`). Throws with PostgreSQL's message when a migration fails.
 */
export async function applyMigrations(
  databaseUrl: string,
  options: ScriptOptions & { migrations?: MigrationList } = {},
): Promise<string[]> {
  const migrations = options.migrations ?? (await readMigrations());
  return withSession(databaseUrl, async (client) => {
    if (await isUpToDate(client, migrations)) return [];
    await takeLock(client, MIGRATION_LOCK);
    await beginAgain(client, migrations);
    try {
      return await engineApply(databaseUrl, migrations, options);
    } catch (error) {
      // Now, not at the next start alone: the former version is deployed again, whose folder does not have what failed.
      await beginAgain(client, migrations).catch(() => undefined);
      throw error;
    }
  });
}

/**
 * Polled, not awaited: a statement waiting for the lock would hold a snapshot, while a concurrent index build of the other process waits for
 * every snapshot to end. PostgreSQL would not detect that deadlock.
 */
async function takeLock(client: pg.Client, lock: number): Promise<void> {
  const take = () => client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [lock]);
  while (!(await take()).rows[0]?.taken) await sleep(ASK_AGAIN_MS);
}

/** A script is kept with the word that it is done, or undone: one without that word is marked as undone, and the engine applies it again. */
async function beginAgain(client: pg.Client, migrations: MigrationList): Promise<void> {
  if (!(await hasMigrationsTable(client))) return;
  // A killed process has released its own lock, while its server may still be running its script.
  await takeLock(client, SCRIPT_LOCK);
  await client.query('select pg_advisory_unlock($1)', [SCRIPT_LOCK]);
  const whole = migrations.migrationDirectories.filter(
    ({ migrationFile: { content } }) => content.tag === 'ok' && isWhole(content.value),
  );
  await client.query(
    `update "_prisma_migrations" set rolled_back_at = now()
       where finished_at is null and rolled_back_at is null and migration_name = any($1::text[])`,
    [whole.map(({ path: name }) => name)],
  );
  const { rows } = await client.query<{ name: string }>(
    `select migration_name as name from "_prisma_migrations"
       where finished_at is null and rolled_back_at is null order by 1`,
  );
  if (rows.length > 0) throw new MigrationCutShort(rows.map(({ name }) => name));
}

async function hasMigrationsTable(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('"_prisma_migrations"') is not null as there`,
  );
  return rows[0]?.there === true;
}

/** Prisma's own table says the same as the folder: loading the engine (a tenth of a second) can be spared. */
async function isUpToDate(client: pg.Client, migrations: MigrationList): Promise<boolean> {
  if (!(await hasMigrationsTable(client))) return false;
  const { rows } = await client.query<{ name: string; checksum: string; done: boolean }>(
    `select migration_name as name, checksum, finished_at is not null as done
       from "_prisma_migrations" where rolled_back_at is null`,
  );
  const applied = new Map(rows.map((row) => [row.name, row.done ? row.checksum : undefined]));
  return (
    applied.size === migrations.migrationDirectories.length &&
    migrations.migrationDirectories.every(({ path: name, migrationFile }) => {
      const { content } = migrationFile;
      return content.tag === 'ok' && applied.get(name) === sha256(content.value);
    })
  );
}

/** Identifies the content of every migration together: the tests name their template database by it. */
export async function migrationsFingerprint(): Promise<string> {
  const migrations = await readMigrations();
  const parts = migrations.migrationDirectories.map(({ path: name, migrationFile }) => {
    const { content } = migrationFile;
    return `${name}\0${content.tag === 'ok' ? sha256(content.value) : ''}`;
  });
  return sha256(parts.join('\n')).slice(0, 16);
}

/**
 * The SQL that the migrations lack to say what `prisma/schema` says, or undefined when they agree. Needs a server where
 * a scratch database may be created.
 */
export async function migrationDrift(serverUrl: string): Promise<string | undefined> {
  return engineDiff(serverUrl, await readMigrations());
}

/**
 * Writes that SQL as a new migration and returns its folder's name, or undefined when there is nothing to write (unless
 * `empty` asks for a file to be filled by hand). The name's time is always later than the last migration's.
 */
export async function writeMigration(
  serverUrl: string,
  name: string,
  options: { now: Date; empty?: boolean },
): Promise<string | undefined> {
  const sql = (await migrationDrift(serverUrl)) ?? (options.empty ? '-- Written by hand.\n' : undefined);
  if (sql === undefined) return undefined;
  const { migrationDirectories } = await readMigrations();
  const last = Number(migrationDirectories.at(-1)?.path.slice(0, 14) ?? 0);
  const stamp = Math.max(Number(options.now.toISOString().replace(/\D/g, '').slice(0, 14)), last + 1);
  const words = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
  const folder = `${stamp}_${words}`;
  const target = path.join(migrationsFolder, folder);
  await mkdir(target, { recursive: true });
  try {
    await writeFileAtomic(path.join(target, 'migration.sql'), sql.endsWith('\n') ? sql : `${sql}\n`, 0o644);
    await writeFileAtomic(
      path.join(migrationsFolder, 'migration_lock.toml'),
      'provider = "postgresql"\n',
      0o644,
    );
  } catch (error) {
    await rm(target, { recursive: true, force: true });
    throw error;
  }
  return folder;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
