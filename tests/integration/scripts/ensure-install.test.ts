import { spawn } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { repositoryRoot } from '#lib/local/paths.ts';

/** A number that no process has: above the highest that Linux gives. */
const GONE = '4194305';
/** In the place of npm: says that it installed, and leaves the Node that is looked for. */
const NPM = `#!/bin/sh
echo "$1" >> installs.txt
mkdir -p node_modules/.bin
ln -s "$OWN_NODE" node_modules/.bin/node
`;

let clone = '';
const at = (name: string) => path.join(clone, name);
const installs = async () => (await readFile(at('installs.txt'), 'utf8')).trim().split('\n');

beforeEach(async () => {
  clone = await mkdtemp(path.join(os.tmpdir(), 'atelier installé-'));
  for (const folder of ['scripts/checks', 'bin', '.tmp']) await mkdir(at(folder), { recursive: true });
  for (const file of ['scripts/ensure-install.mjs', 'scripts/checks/install-hook.mjs'])
    await copyFile(path.join(repositoryRoot, file), at(file));
  await writeFile(at('package.json'), JSON.stringify({ devDependencies: { node: process.versions.node } }));
  await writeFile(at('package-lock.json'), JSON.stringify({ packages: {} }));
  await writeFile(at('bin/npm'), NPM, { mode: 0o755 });
  const made = clone;
  return () => rm(made, { recursive: true, force: true });
});

function start(more: Record<string, string> = {}) {
  const { npm_execpath: _, npm_lifecycle_event: __, ...rest } = process.env;
  const child = spawn(process.execPath, [at('scripts/ensure-install.mjs')], {
    cwd: clone,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...rest,
      CI: '1',
      PATH: `${at('bin')}:${process.env.PATH}`,
      OWN_NODE: process.execPath,
      ...more,
    } as NodeJS.ProcessEnv,
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const ended = new Promise<{ code: number | null; said: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, said }));
  });
  return Object.assign(child, { ended });
}

it('a dead lock is left to the process that is clearing it, and is taken once that one is gone', async () => {
  await writeFile(at('.tmp/install.lock'), GONE);
  await writeFile(at('.tmp/install.lock.clearing'), String(process.pid));
  const child = start();
  await Promise.race([new Promise((said) => child.stderr.once('data', said)), child.ended]);
  expect(await readFile(at('.tmp/install.lock'), 'utf8')).toBe(GONE);
  await rm(at('.tmp/install.lock.clearing'));
  const { code, said } = await child.ended;
  expect(code, said).toBe(0);
  expect(said).toContain(`(process ${process.pid}); waiting for it.`);
  expect(await installs()).toEqual(['ci']);
  expect(await readdir(at('.tmp'))).toEqual([]);
});

it('of many that find a dead lock at the same time one installs, and the others find it done', async () => {
  await writeFile(at('.tmp/install.lock'), GONE);
  await writeFile(at('.tmp/install.lock.clearing'), GONE);
  const ends = await Promise.all(Array.from({ length: 6 }, () => start().ended));
  expect(ends.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);
  expect(await installs()).toEqual(['ci']);
  expect(await readdir(at('.tmp'))).toEqual([]);
});

it('a Node of before 20.11 finds the clone too, where its folder has a space and an accent in its name', async () => {
  const script = await readFile(at('scripts/ensure-install.mjs'), 'utf8');
  await writeFile(at('scripts/ensure-install.mjs'), script.replaceAll('import.meta.dirname', 'undefined'));
  const { code, said } = await start().ended;
  expect(code, said).toBe(0);
  expect(await installs()).toEqual(['ci']);
});

it.skipIf(process.platform !== 'linux')(
  'the lock of an install that was killed is taken over when another process has its number by now',
  async () => {
    // As in a container, which numbers its processes anew at each start: that one is alive, and began at another time.
    await writeFile(at('.tmp/install.lock'), `${process.pid} 1`);
    const { code, said } = await start().ended;
    expect(code, said).toBe(0);
    expect(said).not.toContain('waiting for it');
    expect(await installs()).toEqual(['ci']);
    expect(await readdir(at('.tmp'))).toEqual([]);
  },
);

it('another manager that runs the script is not asked for npm’s own command', async () => {
  await writeFile(at('bin/yarn.js'), 'process.exit(1);\n');
  await writeFile(at('bin/node-of-yarn'), '#!/bin/sh\nexec "$OWN_NODE" "$@"\n', { mode: 0o755 });
  const manager = { npm_execpath: at('bin/yarn.js'), npm_node_execpath: at('bin/node-of-yarn') };
  const { code, said } = await start(manager).ended;
  expect(code, said).toBe(0);
  expect(await installs()).toEqual(['ci']);
});
