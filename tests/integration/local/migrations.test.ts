import { describe, expect, inject, it } from 'vitest';
import { withSession } from '#lib/local/postgres/session.ts';
import { applyMigrations, migrationDrift } from '#lib/local/prisma/migrations.ts';
import { createTestDatabase } from '#tests/setup/database.ts';
import { useTestService } from '#tests/setup/service.ts';
import { until } from '#tests/setup/until.ts';

describe('migrations', () => {
  const service = useTestService();

  it('say exactly what prisma/schema says', async () => {
    expect(await migrationDrift(inject('testServer').url)).toBeUndefined();
  });

  it('leave nothing to apply on a database cloned from the template', async () => {
    expect(await applyMigrations(service.databaseUrl)).toEqual([]);
  });

  it('of two processes wait for each other, and not for an index that the first builds concurrently', async () => {
    const databaseUrl = service.ownerUrl;
    const lastOne = `(select max(migration_name) from "_prisma_migrations")`;
    // As the one that waits sees it: something is left to apply.
    await service.pool.query(
      `update "_prisma_migrations" set finished_at = null where migration_name = ${lastOne}`,
    );
    const second = await withSession(databaseUrl, async (first) => {
      await first.query('select pg_advisory_lock($1)', [4_207_311]);
      const waiting = applyMigrations(databaseUrl);
      await until('the second to ask for the lock', async () => {
        const { rows } = await first.query(
          `select 1 from pg_stat_activity where datname = current_database() and query like '%advisory_lock%' and pid <> pg_backend_pid()`,
        );
        return rows.length > 0;
      });
      await withSession(databaseUrl, async (engine) => {
        await engine.query('create table built_meanwhile (id int)');
        await engine.query(`set statement_timeout = '20s'`);
        await engine.query('create index concurrently built_index on built_meanwhile (id)');
        await engine.query('drop table built_meanwhile');
      });
      await first.query(
        `update "_prisma_migrations" set finished_at = now() where migration_name = ${lastOne}`,
      );
      return { waiting };
    });
    expect(await second.waiting).toEqual([]);
  });

  it('give each clone rows of its own', async () => {
    const other = await createTestDatabase();
    try {
      await service.pool.query('create table only_here (id int)');
      const { rows } = await service.pool.query("select to_regclass('only_here')::text as found");
      expect(rows).toEqual([{ found: 'only_here' }]);
      expect(other.url).not.toBe(service.databaseUrl);
    } finally {
      await other.drop();
    }
  });

  it('offer the extensions that search uses', async () => {
    const { rows } = await service.pool.query(
      "select name from pg_available_extensions where name in ('unaccent', 'pg_trgm', 'btree_gin') order by name",
    );
    expect(rows.map((row) => row.name)).toEqual(['btree_gin', 'pg_trgm', 'unaccent']);
  });
});
