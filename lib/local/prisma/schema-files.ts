import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { MigrationList, SchemasContainer } from '@prisma/schema-engine-wasm';
import { repositoryRoot } from '../paths.ts';

const schemaFolder = path.join(repositoryRoot, 'prisma/schema');
export const migrationsFolder = path.join(repositoryRoot, 'prisma/migrations');

/** The files of `prisma/schema`, as the schema engine and the client generator see them. */
export async function readSchema(folder = schemaFolder): Promise<SchemasContainer> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.prisma')).sort();
  const files = names.map(async (name) => {
    const file = path.join(folder, name);
    return { path: file, content: await readFile(file, 'utf8') };
  });
  return { files: await Promise.all(files) };
}

/** The migrations in Prisma's own format, oldest first. A folder without `migration.sql` is refused. */
export async function readMigrations(folder = migrationsFolder): Promise<MigrationList> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const directories = names.sort().map(async (name) => {
    const content = await readFile(path.join(folder, name, 'migration.sql'), 'utf8');
    return {
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value: content } },
    };
  });
  const lock = await readFile(path.join(folder, 'migration_lock.toml'), 'utf8').catch(() => null);
  return {
    baseDir: folder,
    lockfile: { path: 'migration_lock.toml', content: lock },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(directories),
  };
}
