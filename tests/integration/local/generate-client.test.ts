import { spawn } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { repositoryRoot } from '#lib/local/paths.ts';

const SOURCES = ['files', 'lock', 'paths', 'processes', 'prisma/client', 'prisma/schema-files'];
/** In the place of Prisma's command: says when it begins and ends, and takes its time between. */
const GENERATOR = `
const { appendFileSync, mkdirSync, rmSync, writeFileSync } = require('node:fs');
appendFileSync('generated.txt', 'begins ');
rmSync('lib/db/generated/prisma', { recursive: true, force: true });
mkdirSync('lib/db/generated/prisma', { recursive: true });
setTimeout(() => {
  writeFileSync('lib/db/generated/prisma/client.ts', '');
  appendFileSync('generated.txt', 'ends ');
}, 300);
`;

it('of processes that start together on a fresh clone one generates the client, and the others wait for it', async () => {
  const clone = await mkdtemp(path.join(os.tmpdir(), 'atelier généré '));
  onTestFinished(() => rm(clone, { recursive: true, force: true }));
  const at = (name: string) => path.join(clone, name);
  const cli = 'node_modules/prisma/build';
  for (const folder of ['lib/local/prisma', 'lib/db/generated', 'prisma/schema', 'prisma/migrations', cli])
    await mkdir(at(folder), { recursive: true });
  for (const name of SOURCES.map((source) => `lib/local/${source}.ts`))
    await copyFile(path.join(repositoryRoot, name), at(name));
  await writeFile(at(`${cli}/index.js`), GENERATOR);
  await writeFile(at('node_modules/prisma/package.json'), '{}');
  for (const [name, content] of [
    ['package.json', '{ "type": "module" }'],
    ['prisma.config.ts', ''],
    ['prisma/schema/base.prisma', ''],
  ] as const)
    await writeFile(at(name), content);
  const script =
    "import('./lib/local/prisma/client.ts').then(async (client) => console.log(await client.generateClient()))";
  const said = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
        cwd: clone,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let output = '';
      for await (const chunk of child.stdout) output += chunk;
      return output.trim();
    }),
  );
  expect(await readFile(at('generated.txt'), 'utf8')).toBe('begins ends ');
  expect(said).toContain('true');
  expect(said.every((one) => one === 'true' || one === 'false')).toBe(true);
});
