import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { repositoryRoot } from './paths.ts';

/**
 * Reads `.env.local`, then `.env`, of the clone into the environment. What is set already wins, and test runs read neither.
 */
export function loadEnvFiles(): void {
  if (process.env.ATELIER_TEST_RUN) return;
  for (const name of ['.env.local', '.env'])
    for (const [variable, value] of Object.entries(readEnvFile(name))) process.env[variable] ??= value;
}

function readEnvFile(name: string): NodeJS.Dict<string> {
  let text: string;
  try {
    text = readFileSync(path.join(repositoryRoot, name), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  // Editors on Windows begin a file with a mark, which would be a part of the first name.
  return parseEnv(text.replace(/^\ufeff/, ''));
}
