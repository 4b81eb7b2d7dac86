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
  let bytes: Buffer;
  try {
    bytes = readFileSync(path.join(repositoryRoot, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  // Decoded without the mark that editors on Windows begin a file with: it would be a part of the first name.
  return parseEnv(new TextDecoder(encodingOf(bytes)).decode(bytes));
}

/** Older PowerShells save a text as UTF-16: told by its mark, else by the zero beside its first letter. */
function encodingOf([first, second]: Buffer): string {
  if ((first === 0xff && second === 0xfe) || second === 0) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || first === 0) return 'utf-16be';
  return 'utf-8';
}
