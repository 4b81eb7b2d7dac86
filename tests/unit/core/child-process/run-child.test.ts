import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChildFailure, type ChildLimits, runChild } from '#lib/core/child-process/run-child.ts';

const SECRET = 'SERVICE_SECRET_OF_THE_TEST';
/** The name of the environment, Node's compile cache, and what macOS sets for every program. */
const KNOWN = new Set(['NODE_ENV', 'NODE_COMPILE_CACHE', '__CF_USER_TEXT_ENCODING']);
const folder = mkdtempSync(path.join(tmpdir(), 'atelier-child-'));

beforeAll(() => {
  process.env[SECRET] = 'a secret that no child may read';
});
afterAll(() => {
  delete process.env[SECRET];
  rmSync(folder, { recursive: true, force: true });
});

/** What a program with these lines writes; `failure`: why it was ended. */
async function run(program: string, limits: Partial<ChildLimits> = {}, isAlive = false) {
  const entry = path.join(folder, 'program.mjs');
  writeFileSync(entry, program);
  let said = '';
  const failure = await runChild(entry, {
    input: [],
    limits: { heapMb: 64, timeoutMs: 120_000, maxOutputBytes: 100_000, ...limits },
    onOutput(chunk, restart) {
      said += chunk.toString();
      if (isAlive) restart();
    },
  }).then(
    () => null,
    (error: ChildFailure) => error.reason,
  );
  return { said, failure };
}

test('a program that reads what a stranger sent is given nothing of our environment: no secret, no address', async () => {
  const { said, failure } = await run('process.stdout.write(JSON.stringify(process.env))');
  expect(failure).toBeNull();
  const given = JSON.parse(said) as Record<string, string>;
  expect(given.NODE_ENV).toBe('production');
  expect(Object.keys(given).filter((name) => !KNOWN.has(name))).toEqual([]);
});

test('it is ended past what it may write, and past its longest life though it never falls silent', async () => {
  const talks = 'setInterval(() => process.stdout.write("x".repeat(10)), 5)';
  expect(await run(talks, { maxOutputBytes: 200 })).toMatchObject({ failure: 'output' });
  expect(await run(talks, { totalMs: 2_000 }, true)).toMatchObject({ failure: 'time' });
});

test('where the service may open no file more, no program starts: that is refused, and the service lives on', () => {
  const entry = path.join(folder, 'full.mjs');
  const module = pathToFileURL(path.resolve('lib/core/child-process/run-child.ts'));
  writeFileSync(
    entry,
    `import { closeSync, openSync } from 'node:fs';
    import { runChild } from '${module}';
    const open = [];
    try { for (;;) open.push(openSync('/dev/null')); } catch {}
    const limits = { heapMb: 64, timeoutMs: 60_000, maxOutputBytes: 100 };
    const refused = await runChild('/dev/null', { input: [], limits, onOutput() {} }).catch((error) => error);
    await new Promise((turn) => setImmediate(turn));
    for (const one of open) closeSync(one);
    console.log(refused?.name, refused?.cause?.code);`,
  );
  const within = 'ulimit -n 64 && exec "$0" "$1"';
  const { stdout, status } = spawnSync('sh', ['-c', within, process.execPath, entry], { encoding: 'utf8' });
  expect({ stdout, status }).toEqual({ stdout: 'ChildRefused EMFILE\n', status: 0 });
});
