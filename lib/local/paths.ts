import path from 'node:path';

/** The folder of the clone. Only scripts and tests may use it: a deployed function has no such folder. */
export const repositoryRoot = path.resolve(import.meta.dirname, '../..');

/** Where the local services keep their data: `SERVICE_DATA_DIR`, relative to the clone, default `.data`. */
export function dataFolder(env: NodeJS.ProcessEnv = process.env): string {
  return path.resolve(repositoryRoot, env.SERVICE_DATA_DIR?.trim() || '.data');
}

/** A path as it was typed: from the folder in which `npm run` was called, which npm leaves for the clone's. */
export function typedPath(typed: string): string {
  return path.resolve(process.env.INIT_CWD ?? process.cwd(), typed);
}

/** Data of test runs, apart from the developer's own. */
export function testFolder(): string {
  return path.join(repositoryRoot, '.tmp', 'test');
}
