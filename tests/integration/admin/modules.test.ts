import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repositoryRoot } from '#lib/local/paths.ts';
import { makeAccount } from '#tests/factories/account.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'atelier-modules-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What a command loads, from the clone: `kysely`, `lib/db/pool.ts`. */
function loadedBy(...args: string[]): Set<string> {
  const file = path.join(folder, 'modules');
  const preloads = [path.join(import.meta.dirname, 'list-modules.mjs'), './scripts/ready.ts'];
  const { status, stderr } = spawnSync(
    process.execPath,
    [...preloads.flatMap((one) => ['--import', one]), 'scripts/admin.ts', ...args],
    {
      cwd: repositoryRoot,
      env: { ...process.env, DATABASE_URL: service.databaseUrl, MODULES_FILE: file },
      encoding: 'utf8',
    },
  );
  expect(stderr).not.toContain('Error');
  expect(status).toBe(0);
  const urls = readFileSync(file, 'utf8').split('\n');
  const root = `${repositoryRoot}/`;
  const names = urls
    .filter((url) => url.startsWith('file:'))
    .map((url) => url.slice(url.indexOf(root) + root.length));
  return new Set(names.map((name) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name)?.[1] ?? name));
}

const packagesOf = (names: Set<string>) => [...names].filter((name) => !/\.m?[jt]s$/.test(name)).sort();
const ownOf = (names: Set<string>, prefix: string) => [...names].filter((name) => name.startsWith(prefix));

test('the help of the admin commands loads no database, and no verb', () => {
  const names = loadedBy('--help');
  expect(packagesOf(names)).toEqual(['commander']);
  for (const part of ['lib/identity', 'lib/ledger', 'lib/storage', 'lib/providers', 'lib/db/pool'])
    expect(ownOf(names, part), part).toEqual([]);
});

test('a command loads its own verb, and neither Prisma, telemetry, a file store, a provider nor another verb', async () => {
  const { account } = await makeAccount(service);
  const names = loadedBy('key', 'list', '--account', account.id);
  expect([...names]).toContain('lib/identity/keys/list-keys.ts');
  for (const absent of [
    '@prisma/client',
    '@prisma/adapter-pg',
    '@prisma/schema-engine-wasm',
    '@opentelemetry/api',
  ])
    expect(packagesOf(names)).not.toContain(absent);
  for (const absent of ['@vercel/blob', 'nodemailer', 'zod', 'sharp', 'jose', 'next'])
    expect(packagesOf(names)).not.toContain(absent);
  for (const part of [
    'lib/db/generated/prisma',
    'lib/providers',
    'lib/storage',
    'lib/ledger/reads',
    'lib/ledger/budget',
    'lib/brain/spaces',
  ])
    expect(ownOf(names, part), part).toEqual([]);
  // What a key has spent this month is in the list.
  expect(ownOf(names, 'lib/ledger')).toEqual(['lib/ledger/lines.ts', 'lib/ledger/month.ts']);
});
