import { spawn } from 'node:child_process';
import { copyFile, mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foreignTo, hasVariable, watchProcesses } from '../../../scripts/checks/process-watch.ts';

let root = '';
beforeAll(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'atelier-watch-')));
});
afterAll(() => rm(root, { recursive: true }));

/** Runs `command` as a grandchild, marked by the environment alone, until it was surely seen; gives what was foreign. */
async function foreignOf(
  command: string,
  args: string[],
  isTool: (file: string) => boolean = () => false,
): Promise<string[]> {
  const mark = `ATELIER_WATCH=${root}-${Math.random()}`;
  const watch = watchProcesses((pid) => hasVariable(pid, mark));
  const child = spawn(command, args, {
    env: {
      PATH: process.env.PATH,
      [mark.split('=')[0] as string]: mark.slice(mark.indexOf('=') + 1),
    } as unknown as NodeJS.ProcessEnv,
    stdio: 'ignore',
  });
  await new Promise((done) => child.on('close', done));
  return foreignTo(root, watch.stop(), isTool);
}

describe.runIf(process.platform === 'linux')('the check of a bare machine', () => {
  it('names what was executed from outside, by whatever started it', async () => {
    const sleep = await realpath('/bin/sleep');
    const faults = await foreignOf('/bin/sh', ['-c', '/bin/sleep 2; true']);
    expect(faults).toContainEqual(expect.stringContaining(`executed ${sleep} (/bin/sleep 2)`));
    expect(await foreignOf('/bin/sh', ['-c', '/bin/sleep 2; true'], () => true)).toEqual([]);
  });

  it('names what a program of the clone mapped from outside, and lets the C library be', async () => {
    const inside = path.join(root, 'node');
    await copyFile(process.execPath, inside);
    const wait = 'setTimeout(() => undefined, 2500)';
    expect(await foreignOf(inside, ['-e', wait])).toEqual([]);
    const seen = [
      {
        executable: inside,
        commandLine: '',
        files: new Set(['/usr/lib/libnss3.so', '/lib/libc.so.6', '/usr/share/fonts/a.ttf', inside]),
      },
    ];
    expect(foreignTo(root, seen, () => false)).toEqual([
      'node used /usr/lib/libnss3.so',
      'node used /usr/share/fonts/a.ttf',
    ]);
  });
});
