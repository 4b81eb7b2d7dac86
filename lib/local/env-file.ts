import { existsSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from './paths.ts';

/**
 * Reads `.env.local`, then `.env`, of the clone into the environment. What is set already wins, and test runs read neither.
 */
export function loadEnvFiles(): void {
  if (process.env.ATELIER_TEST_RUN) return;
  for (const name of ['.env.local', '.env']) {
    const file = path.join(repositoryRoot, name);
    if (existsSync(file)) process.loadEnvFile(file);
  }
}
