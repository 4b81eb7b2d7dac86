import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { readText, writeFileAtomic } from '../files.ts';
import { withLock } from '../lock.ts';
import { repositoryRoot } from '../paths.ts';
import { readMigrations, readSchema } from './schema-files.ts';

const generated = path.join(repositoryRoot, 'lib/db/generated/prisma');
const stampFile = path.join(generated, '.fingerprint');
// Beside what is generated, not in it: the generator empties its folder.
const lockFile = path.join(repositoryRoot, '.tmp/generate.lock');

/**
 * Generates the Prisma client and the tables' types when the schema or the generator changed, and the list of migrations that the code
 * was written for. Returns whether it did. Needs no network. One process of the clone at a time: the others wait, and find it done.
 */
export async function generateClient(): Promise<boolean> {
  const [client, migrations] = [await generatePrisma(), await generateMigrationList()];
  return client || migrations;
}

/** A deployed function has no migrations folder: it compares the database with this list (`/api/health`). */
async function generateMigrationList(): Promise<boolean> {
  const { migrationDirectories } = await readMigrations();
  const names = migrationDirectories.map(({ path: name }) => `  '${name}',\n`);
  const text = `/** The migrations of prisma/migrations, oldest first. */\nexport const MIGRATIONS: readonly string[] = [\n${names.join('')}];\n`;
  const file = path.join(generated, '..', 'migrations.ts');
  if ((await readText(file)) === text) return false;
  await writeFileAtomic(file, text, 0o644);
  return true;
}

async function generatePrisma(): Promise<boolean> {
  const wanted = await fingerprint();
  if (await isGenerated(wanted)) return false;
  await mkdir(path.dirname(lockFile), { recursive: true });
  return withLock(lockFile, async () => {
    if (await isGenerated(wanted)) return false;
    await runGenerator();
    await writeFileAtomic(stampFile, `${wanted}\n`, 0o644);
    return true;
  });
}

async function isGenerated(wanted: string): Promise<boolean> {
  return (await readText(stampFile))?.trim() === wanted && existsSync(path.join(generated, 'client.ts'));
}

async function runGenerator(): Promise<void> {
  const cli = path.join(repositoryRoot, 'node_modules/prisma/build/index.js');
  // Generating does not run the schema engine, but the CLI downloads it unless told where one is.
  const env = {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  };
  await promisify(execFile)(process.execPath, [cli, 'generate', '--no-hints'], { cwd: repositoryRoot, env });
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  for (const file of (await readSchema()).files)
    hash.update(`${path.basename(file.path)}\0${file.content}\0`);
  hash.update(await readFile(path.join(repositoryRoot, 'node_modules/prisma/package.json')));
  hash.update(await readFile(path.join(repositoryRoot, 'prisma.config.ts')));
  return hash.digest('hex');
}
