import { describe, expect, inject, it } from 'vitest';
import { applyMigrations, migrationDrift } from '#lib/local/prisma/migrations.ts';
import { createTestDatabase } from '#tests/setup/database.ts';
import { useTestService } from '#tests/setup/service.ts';

describe('migrations', () => {
  const service = useTestService();

  it('say exactly what prisma/schema says', async () => {
    expect(await migrationDrift(inject('testServer').url)).toBeUndefined();
  });

  it('leave nothing to apply on a database cloned from the template', async () => {
    expect(await applyMigrations(service.databaseUrl)).toEqual([]);
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
