import { createHash } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { roleOf } from '#lib/local/postgres/rights.ts';
import { withSession } from '#lib/local/postgres/session.ts';
import { applyMigrations } from '#lib/local/prisma/migrations.ts';
import { runScript, SCRIPT_LOCK } from '#lib/local/prisma/run-script.ts';
import { readMigrations } from '#lib/local/prisma/schema-files.ts';
import { cloneDatabase } from '#tests/setup/database.ts';
import { addressOf } from '#tests/setup/server.ts';
import { until } from '#tests/setup/until.ts';

const NEXT = '29990101000000_next';
const AFTER = '29990101000001_after';

let owner: string;
let application: string;
let name: string;

// Its own each time: what is migrated here has tables that no other test may find.
beforeEach(async () => {
  const { url, appUrl, template } = inject('testServer');
  name = `test_${process.pid}_cut_${Math.random().toString(36).slice(2, 8)}`;
  await withSession(url, (client) => cloneDatabase(client, template, name));
  owner = addressOf(url, name);
  application = addressOf(appUrl, name);
});
afterEach(async () => {
  await withSession(inject('testServer').url, (client) =>
    client.query(`drop database if exists "${name}" with (force)`),
  );
});

/** The migrations of the folder, and those that a next version would bring. */
async function withNext(...next: [path: string, sql: string][]) {
  const all = await readMigrations();
  const more = next.map(([path, value]) => ({
    path,
    migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value } },
  }));
  return { ...all, migrationDirectories: [...all.migrationDirectories, ...more] };
}

const asApplication = (text: string) => withSession(application, (client) => client.query(text));

/** What a process leaves that was killed after it had said that it begins. */
const began = (migration: string, sql: string) =>
  withSession(owner, (client) =>
    client.query(
      `insert into "_prisma_migrations" (id, checksum, migration_name, started_at, applied_steps_count)
        values (gen_random_uuid()::text, $1, $2, now(), 0)`,
      [createHash('sha256').update(sql).digest('hex'), migration],
    ),
  );

describe('a migration beside a version that serves', () => {
  it('that stops after another made a table which triggers write to: the application still writes', async () => {
    const table = `CREATE TABLE "Echo" ("id" BIGSERIAL PRIMARY KEY, "said" TEXT);
      CREATE FUNCTION echo() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN INSERT INTO public."Echo" ("said") VALUES ('told'); RETURN NULL; END $$;
      CREATE TRIGGER "CronCursor_echo" AFTER INSERT ON "CronCursor" FOR EACH STATEMENT EXECUTE FUNCTION echo()`;
    const migrations = await withNext(
      [NEXT, table],
      [AFTER, 'ALTER TABLE "Nowhere" ADD COLUMN "more" TEXT; -- no such table'],
    );
    await expect(applyMigrations(owner, { role: roleOf(application), migrations })).rejects.toThrow();
    await asApplication(`INSERT INTO "CronCursor" SELECT * FROM "CronCursor" WHERE false`);
    const { rows } = await asApplication('SELECT "said" FROM "Echo"');
    expect(rows).toEqual([{ said: 'told' }]);
    await expect(asApplication('TRUNCATE "Echo"')).rejects.toMatchObject({ code: '42501' });
  });

  it('that waits for a table held by a dump lets everybody else pass, says so, and goes on when it is over', async () => {
    const held = Promise.withResolvers<void>();
    const migrations = await withNext([NEXT, 'ALTER TABLE "Space" ADD COLUMN "more" TEXT']);
    const migrated = await withSession(owner, async (dump) => {
      await dump.query('begin; select count(*) from "Space"');
      const waiting = applyMigrations(owner, { migrations, onLockWait: () => held.resolve() });
      await held.promise;
      expect((await asApplication('SELECT count(*)::int AS n FROM "Space"')).rows).toEqual([{ n: 0 }]);
      await dump.query('commit');
      return { waiting };
    });
    expect(await migrated.waiting).toEqual([NEXT]);
  });
});

describe('a migration that stopped', () => {
  it('at an error leaves nothing: the former version migrates again, and the next with the migration put right', async () => {
    const wrong =
      'CREATE TABLE "Half" ("id" TEXT PRIMARY KEY); ALTER TABLE "Nowhere" ADD COLUMN "more" TEXT;';
    await expect(applyMigrations(owner, { migrations: await withNext([NEXT, wrong]) })).rejects.toThrow();
    expect(await applyMigrations(owner)).toEqual([]);
    const right = await withNext([NEXT, 'CREATE TABLE "Half" ("id" TEXT PRIMARY KEY);']);
    expect(await applyMigrations(owner, { migrations: right })).toEqual([NEXT]);
    expect(await applyMigrations(owner, { migrations: right })).toEqual([]);
  });

  it('because its process was killed is applied by the next one, unless its script was done: it is not run twice', async () => {
    const kept = 'CREATE TABLE "Kept" ("id" TEXT PRIMARY KEY)';
    const done = 'CREATE TABLE "Done" ("id" TEXT PRIMARY KEY) -- and nothing after it';
    await began(NEXT, kept);
    expect(await applyMigrations(owner, { migrations: await withNext([NEXT, kept]) })).toEqual([NEXT]);
    await began(AFTER, done);
    const pool = new pg.Pool({ connectionString: owner, max: 1 });
    await runScript(pool, done, {});
    await pool.end();
    const both = await withNext([NEXT, kept], [AFTER, done]);
    expect(await applyMigrations(owner, { migrations: both })).toEqual([]);
  });

  it('and whose server is still at work on it is waited for', async () => {
    const late = 'CREATE TABLE "Late" ("id" TEXT PRIMARY KEY)';
    const migrations = await withNext([NEXT, late]);
    await began(NEXT, late);
    const next = await withSession(owner, async (left) => {
      await left.query('begin');
      await left.query('select pg_advisory_xact_lock_shared($1)', [SCRIPT_LOCK]);
      await left.query(late);
      const waiting = applyMigrations(owner, { migrations });
      await until('the next one to have its turn', async () => {
        const { rows } = await left.query(
          `select 1 from pg_locks where locktype = 'advisory' and objid = 4207311 and granted
             and database = (select oid from pg_database where datname = current_database())`,
        );
        return rows.length > 0;
      });
      await left.query('update "_prisma_migrations" set finished_at = now() where finished_at is null');
      await left.query('commit');
      return { waiting };
    });
    expect(await next.waiting).toEqual([]);
  });

  it('while it built an index beside everybody is named, with where to read what to do', async () => {
    const sql = '-- An index.\nCREATE INDEX CONCURRENTLY "Space_cut" ON "Space" ("name");';
    await began(NEXT, sql);
    await expect(applyMigrations(owner, { migrations: await withNext([NEXT, sql]) })).rejects.toThrow(
      `Une migration a été interrompue\u00a0: ${NEXT}.`,
    );
  });
});
