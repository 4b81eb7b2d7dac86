import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { randomHex } from '#lib/core/crypto.ts';
import { dataFolder } from './paths.ts';

const NAMES = ['SERVICE_SESSION_SECRET', 'CRON_SECRET', 'CALLBACK_SECRET'] as const;
export type LocalSecrets = Record<(typeof NAMES)[number], string>;

/**
 * The secrets of the local world, made at first use and kept in the data folder, readable by its owner alone. Two processes
 * that start together agree: the file appears whole, and the first one wins.
 */
export async function localSecrets(folder = dataFolder()): Promise<LocalSecrets> {
  const file = path.join(folder, 'secrets.json');
  const found = await readFile(file, 'utf8').catch(() => null);
  if (found !== null) return JSON.parse(found) as LocalSecrets;
  await mkdir(folder, { recursive: true });
  const fresh = Object.fromEntries(NAMES.map((name) => [name, randomHex(32)]));
  const draft = `${file}.${process.pid}.${randomHex(4)}`;
  await writeFile(draft, `${JSON.stringify(fresh, null, 2)}\n`, { mode: 0o600 });
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft, { force: true });
  return JSON.parse(await readFile(file, 'utf8')) as LocalSecrets;
}

/** The secret that signs session cookies: the configured one, else the local world's. */
export async function sessionSecret(): Promise<string> {
  return process.env.SERVICE_SESSION_SECRET || (await localSecrets()).SERVICE_SESSION_SECRET;
}
