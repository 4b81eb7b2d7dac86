import { spawn } from 'node:child_process';
import { once } from 'node:events';
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

/** Runs `command` as a grandchild, marked by the environment alone, until all was looked at while it ran; gives what was foreign. */
async function foreignOf(
  command: string,
  args: string[],
  isTool: (file: string) => boolean = () => false,
): Promise<string[]> {
  const mark = `ATELIER_WATCH=${root}-${Math.random()}`;
  let looked: () => void = () => undefined;
  const watch = watchProcesses((pid) => {
    // This process is a stranger: it is asked of whenever everything is looked at anew.
    if (pid === process.pid) looked();
    return hasVariable(pid, mark);
  });
  const child = spawn(command, args, {
    env: {
      PATH: process.env.PATH,
      [mark.split('=')[0] as string]: mark.slice(mark.indexOf('=') + 1),
    } as unknown as NodeJS.ProcessEnv,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = once(child, 'close');
  // It says what it is told: by then what it executes is in its place, and stays until it is told no more.
  child.stdin.write('there');
  await once(child.stdout, 'data');
  await new Promise<void>((done) => {
    looked = done;
  });
  child.stdin.end();
  await ended;
  return foreignTo(root, watch.stop(), isTool);
}

describe.runIf(process.platform === 'linux')('the check of a bare machine', () => {
  it('names what was executed from outside, by whatever started it', async () => {
    const cat = await realpath('/bin/cat');
    const faults = await foreignOf('/bin/sh', ['-c', '/bin/cat -u; true']);
    expect(faults).toContainEqual(expect.stringContaining(`executed ${cat} (/bin/cat -u)`));
    expect(await foreignOf('/bin/sh', ['-c', '/bin/cat -u; true'], () => true)).toEqual([]);
  });

  it('names what a program of the clone mapped from outside, and lets the C library be', async () => {
    const inside = path.join(root, 'node');
    await copyFile(process.execPath, inside);
    const repeat = 'process.stdin.pipe(process.stdout)';
    expect(await foreignOf(inside, ['-e', repeat])).toEqual([]);
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
