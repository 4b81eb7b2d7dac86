import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { localSecrets } from '#lib/local/secrets.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'atelier-secrets-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('many that ask at once get the same secrets, readable by their owner alone', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => localSecrets(folder)));
  expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(1);
  expect(Object.values(all[0] ?? {}).every((secret) => /^[0-9a-f]{64}$/.test(secret))).toBe(true);
  expect((await stat(path.join(folder, 'secrets.json'))).mode & 0o077).toBe(0);
});

test('a cut file is made again, and a file that lacks a name keeps the others', async () => {
  const file = path.join(folder, 'secrets.json');
  await writeFile(file, '{"CRON_SECRET": "à moi", "CALL');
  expect(Object.keys(await localSecrets(folder))).toHaveLength(4);
  await writeFile(file, '{"CRON_SECRET": "à moi"}');
  const repaired = await localSecrets(folder);
  expect(repaired).toMatchObject({
    CRON_SECRET: 'à moi',
    SERVICE_SESSION_SECRET: expect.stringMatching(/./),
  });
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(repaired);
});
