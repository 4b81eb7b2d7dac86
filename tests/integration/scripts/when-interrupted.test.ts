import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { repositoryRoot } from '#lib/local/paths.ts';

/** A command that works for ever on a folder of its own, asked to end as soon as it says that it works. */
async function interrupted(signal: NodeJS.Signals, clean: string) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'atelier-interrupted-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const script = `import { rm } from 'node:fs/promises';
    import { whenInterrupted } from './scripts/checks/when-interrupted.ts';
    const folder = ${JSON.stringify(folder)};
    whenInterrupted(async () => { ${clean} });
    setInterval(() => undefined, 1000);
    console.log('working');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: repositoryRoot,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  child.stdout.once('data', () => child.kill(signal));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, isLeft: existsSync(folder) };
}

const CLEAN = 'await rm(folder, { recursive: true });';

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('after %s nothing is left, and its code is the shell’s', async (signal, code) => {
  expect(await interrupted(signal, CLEAN)).toEqual({ code, isLeft: false });
});

test('one that cannot be cleaned up ends all the same', async () => {
  expect(await interrupted('SIGTERM', "throw new Error('no');")).toEqual({ code: 143, isLeft: true });
});
