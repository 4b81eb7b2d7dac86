import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { StartFault, startOnce } from '#lib/local/serving/start-once.ts';
import { writeRunningServer } from '#lib/local/state.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'atelier début '));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const quiet = () => {};

const outcome = (work: Promise<unknown>) =>
  work.then(
    (value) => value,
    (error: unknown) => (error instanceof StartFault ? error.message : String(error)),
  );

it('of two starts at once one begins, and the other is told where it runs', async () => {
  let begun = 0;
  const dataDir = path.join(folder, 'données');
  const start = () =>
    startOnce(dataDir, quiet, async () => {
      begun += 1;
      await new Promise((resolve) => setTimeout(resolve, 100));
      await writeRunningServer(dataDir, 'http://127.0.0.1:3000');
      return 'served';
    });
  const said = await Promise.all([outcome(start()), outcome(start())]);
  expect(begun).toBe(1);
  expect(said.toSorted()).toEqual([
    `Ce clone tourne déjà\u00a0: http://127.0.0.1:3000 (processus ${process.pid}).`,
    'served',
  ]);
});

it('a start that failed leaves the next one free to begin', async () => {
  const failing = startOnce(folder, quiet, () => Promise.reject(new Error('a full disk')));
  expect(await outcome(failing)).toBe('Error: a full disk');
  const next = startOnce(folder, quiet, async () => 'served');
  expect(await outcome(next)).toBe('served');
});
