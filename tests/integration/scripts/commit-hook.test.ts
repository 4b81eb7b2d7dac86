import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { repositoryRoot } from '#lib/local/paths.ts';

let clone = '';
const run = (command: string, args: string[], env: Record<string, string> = {}) => {
  const { CI: _, ...rest } = process.env;
  const identity = {
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@b.c',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@b.c',
  };
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: clone,
    encoding: 'utf8',
    env: { ...rest, ...identity, ...env } as NodeJS.ProcessEnv,
  });
  return { status, out: stdout + stderr };
};
const git = (...args: string[]) => run('git', args);
const write = (name: string, text: string) => writeFile(path.join(clone, name), text);
const install = (env: Record<string, string> = {}) =>
  run(process.execPath, ['scripts/checks/install-hook.mjs'], env);

// A clone with the hook, the linter and what it needs; its packages are those of this clone.
beforeAll(async () => {
  clone = await mkdtemp(path.join(os.tmpdir(), 'atelier-hook-'));
  git('init', '--quiet');
  for (const folder of ['.githooks', 'scripts/checks'])
    await mkdir(path.join(clone, folder), { recursive: true });
  for (const file of [
    '.githooks/pre-commit',
    'scripts/checks/staged.ts',
    'scripts/checks/install-hook.mjs',
    'biome.json',
    'package.json',
    'package-lock.json',
    '.gitignore',
  ])
    await copyFile(path.join(repositoryRoot, file), path.join(clone, file));
  await symlink(path.join(repositoryRoot, 'node_modules'), path.join(clone, 'node_modules'));
});
afterAll(() => rm(clone, { recursive: true }));

it('is installed by the first command of npm, neither in CI nor over a hook of one’s own', () => {
  const hooks = () => git('config', '--get', 'core.hooksPath').out.trim();
  expect(install({ CI: 'true' }).status).toBe(0);
  expect(hooks()).toBe('');
  git('config', 'core.hooksPath', 'mine');
  install();
  expect(hooks()).toBe('mine');
  git('config', '--unset', 'core.hooksPath');
  install();
  expect(hooks()).toBe('.githooks');
});

it('formats what is staged, refuses what is wrong, and lets nothing unstaged slip in', async () => {
  await write('a.ts', 'export const a = "x"\n');
  await write('notes.md', '# Notes\n');
  git('add', 'a.ts', 'notes.md');
  expect(git('commit', '--quiet', '-m', 'one')).toMatchObject({ status: 0 });
  expect(git('show', 'HEAD:a.ts').out).toBe("export const a = 'x';\n");

  await write('b.ts', "import x from 'node:fs';\nexport const b = 1;\n");
  git('add', 'b.ts');
  expect(git('commit', '--quiet', '-m', 'two').status).not.toBe(0);
  git('rm', '--quiet', '--cached', 'b.ts');
  await rm(path.join(clone, 'b.ts'));

  await write('a.ts', "export const a = 'y';\n");
  git('add', 'a.ts');
  await write('a.ts', "export const a = 'y';\nexport const unfinished = 1\n");
  git('commit', '--quiet', '-m', 'three');
  expect(await readFile(path.join(clone, 'a.ts'), 'utf8')).toContain('unfinished = 1\n');
  expect(git('log', '-p', '--all').out).not.toContain('unfinished');
});
