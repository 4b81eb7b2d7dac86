import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repositoryRoot } from '#lib/local/paths.ts';
import { makeAccount } from '#tests/factories/account.ts';
import { useTestService } from '#tests/setup/service.ts';

// A clone of this clone with a `.env` of its own: everything but that file and the data folder is linked.
const service = useTestService();
let clone = '';
beforeAll(async () => {
  clone = await mkdtemp(path.join(tmpdir(), 'atelier-env-'));
  for (const name of ['lib', 'app', 'scripts', 'prisma', 'node_modules', 'package.json'])
    await symlink(path.join(repositoryRoot, name), path.join(clone, name));
});
afterAll(() => rm(clone, { recursive: true, force: true }));

type Answer = { code: number; out: string; err: string };

/** Runs a script of the clone, in a shell where nothing of ours is set but `env`. */
function script(args: string[], env: Record<string, string> = {}): Promise<Answer> {
  const bare = { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: process.env.NODE_ENV };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--preserve-symlinks', '--preserve-symlinks-main', ...args],
      { env: { ...bare, ...env }, cwd: clone, timeout: 600_000 },
      (error, out, err) => resolve({ code: error ? Number(error.code ?? 1) : 0, out, err }),
    );
  });
}

/** What the first import of every command leaves in the environment of a process: PORT and SERVICE_SMTP_FROM. */
async function loaded(): Promise<unknown> {
  const print = 'console.log(JSON.stringify([process.env.PORT, process.env.SERVICE_SMTP_FROM]))';
  const answer = await script(['--input-type=module', '-e', `import './scripts/env-file.ts';\n${print}`]);
  expect([answer.err, answer.code]).toEqual(['', 0]);
  return JSON.parse(answer.out);
}

const dotEnv = (text: string | Uint8Array) => writeFile(path.join(clone, '.env'), text);

describe('.env at the root of the clone', () => {
  test('names the database of npm run admin, as it names that of npm start', async () => {
    const { account } = await makeAccount(service, { operator: true });
    await dotEnv(`DATABASE_URL=${service.databaseUrl}\n`);
    const answer = await script(['scripts/admin.ts', 'capacity', 'set', '77', '--json']);
    expect([answer.err, answer.code]).toEqual(['', 0]);
    expect(JSON.parse(answer.out)).toMatchObject({ accountId: account.id, capacityCu: 77 });
  });

  test('names the database of npm run migrate', async () => {
    await dotEnv(`DATABASE_URL=${service.databaseUrl}\nDATABASE_DIRECT_URL=${service.ownerUrl}\n`);
    expect(await script(['scripts/migrate.ts'])).toEqual({ out: 'Rien à appliquer.\n', err: '', code: 0 });
  });

  test('gives npm start its port', async () => {
    await dotEnv('PORT=quatre\n');
    const answer = await script(['scripts/start.ts']);
    expect([answer.code, answer.err.trim()]).toEqual([
      1,
      'PORT doit être un nombre de 0 à 65535, pas «\u00a0quatre\u00a0».',
    ]);
  });

  test('is read as editors on Windows write it: a mark at its beginning, and their ends of lines', async () => {
    await dotEnv('\ufeffPORT=quatre\r\nSERVICE_SMTP_FROM=a\r\n');
    expect(await loaded()).toEqual(['quatre', 'a']);
  });

  test('is read as older PowerShells write it: in UTF-16, of either order, with a mark or without', async () => {
    const text = 'PORT=quatre\r\nSERVICE_SMTP_FROM=a\r\n';
    const little = (said: string) => Buffer.from(said, 'utf16le');
    for (const bytes of [little(`\ufeff${text}`), little(text), little(`\ufeff${text}`).swap16()]) {
      await dotEnv(bytes);
      expect(await loaded(), bytes.subarray(0, 4).toString('hex')).toEqual(['quatre', 'a']);
    }
  });

  test('yields to a variable that is set, and is not read at all by a test run', async () => {
    await dotEnv('PORT=quatre\n');
    expect((await script(['scripts/start.ts'], { PORT: 'cinq' })).err).toContain('«\u00a0cinq\u00a0»');
    await dotEnv('DATABASE_URL=postgresql://127.0.0.1:1/absente\n');
    const answer = await script(['scripts/migrate.ts'], {
      ATELIER_TEST_RUN: '1',
      DATABASE_URL: service.databaseUrl,
    });
    expect(answer.code).toBe(0);
  });
});
