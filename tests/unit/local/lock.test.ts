import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { withLock } from '#lib/local/lock.ts';
import { processToken } from '#lib/local/processes.ts';

const folders: string[] = [];
let file = '';
beforeEach(async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'atelier-lock-'));
  folders.push(folder);
  file = path.join(folder, 'lock');
});
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

/** The lock of a process that was killed, and whose number another process has by now. */
const DEAD = JSON.stringify({ pid: process.pid, token: 'of a process before this one', nonce: '00' });
const LIVING = JSON.stringify({ pid: process.pid, token: processToken(process.pid), nonce: '01' });

test('a dead lock is left to the process that is clearing it', async () => {
  await writeFile(file, DEAD);
  await writeFile(`${file}.clearing`, LIVING);
  await expect(withLock(file, async () => 'taken', 0)).rejects.toThrow('Waited 0 s');
  expect(await readFile(file, 'utf8')).toBe(DEAD);
  await rm(`${file}.clearing`);
  expect(await withLock(file, async () => 'taken', 0)).toBe('taken');
});

test('a process that died while it cleared a dead lock holds up nobody, and nothing is left', async () => {
  await writeFile(file, DEAD);
  await writeFile(`${file}.clearing`, DEAD);
  await writeFile(`${file}.clearing.clearing`, DEAD);
  expect(await withLock(file, async () => 'taken')).toBe('taken');
  expect(await readdir(path.dirname(file))).toEqual([]);
});

test('many who find a dead lock at the same time take it one after the other', async () => {
  for (let round = 0; round < 10; round++) {
    await writeFile(file, DEAD);
    let inside = 0;
    let most = 0;
    let done = 0;
    const enter = () =>
      withLock(file, async () => {
        inside += 1;
        most = Math.max(most, inside);
        await readFile(file);
        inside -= 1;
        done += 1;
      });
    const all: Promise<void>[] = [];
    for (let i = 0; i < 12; i++) {
      all.push(enter());
      // Each starts a few steps after the former, so that one links while another clears.
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(all);
    expect([most, done]).toEqual([1, 12]);
  }
  expect(await readdir(path.dirname(file))).toEqual([]);
});
