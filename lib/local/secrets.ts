import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { randomHex } from '#lib/core/crypto.ts';
import { readJson, writeFileAtomic } from './files.ts';
import { withLock } from './lock.ts';
import { dataFolder } from './paths.ts';

const NAMES = ['SERVICE_SESSION_SECRET', 'CRON_SECRET', 'CALLBACK_SECRET', 'SERVICE_OUTBOX_TOKEN'] as const;
type LocalSecrets = Record<(typeof NAMES)[number], string>;

/**
 * The secrets of the local services, made at first use and kept in the data folder, readable by its owner alone. Two processes
 * that start together agree; a file that is cut or lacks a name is completed, and what it still says is kept.
 */
export async function localSecrets(folder = dataFolder()): Promise<LocalSecrets> {
  const file = path.join(folder, 'secrets.json');
  const found = await readSecrets(file);
  if (isWhole(found)) return found;
  await mkdir(folder, { recursive: true });
  return withLock(path.join(folder, 'secrets.lock'), async () => {
    const known = await readSecrets(file);
    if (isWhole(known)) return known;
    const whole = Object.fromEntries(NAMES.map((name) => [name, known[name] || randomHex(32)]));
    await writeFileAtomic(file, `${JSON.stringify(whole, null, 2)}\n`);
    return whole as LocalSecrets;
  });
}

async function readSecrets(file: string): Promise<Partial<LocalSecrets>> {
  return (await readJson<Partial<LocalSecrets> | null>(file)) ?? {};
}

function isWhole(secrets: Partial<LocalSecrets>): secrets is LocalSecrets {
  return NAMES.every((name) => secrets[name]);
}

/** The secret that signs session cookies: the configured one, else the one made here. */
export async function sessionSecret(): Promise<string> {
  return process.env.SERVICE_SESSION_SECRET || (await localSecrets()).SERVICE_SESSION_SECRET;
}
