import { spawnSync } from 'node:child_process';
import path from 'node:path';

// The commit hook: what is staged is formatted (and staged again), then linted. A file of which only a part is staged is not written,
// so that nothing unstaged slips in: it is checked as it lies.
const root = path.resolve(import.meta.dirname, '../..');
const git = (...args: string[]) => {
  const { stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return stdout.split('\0').filter(Boolean);
};
const biome = (args: string[], files: string[]) =>
  files.length === 0
    ? 0
    : spawnSync(
        path.join(root, 'node_modules/node/bin/node'),
        [
          path.join(root, 'node_modules/@biomejs/biome/bin/biome'),
          'check',
          ...args,
          '--no-errors-on-unmatched',
          '--files-ignore-unknown=true',
          '--diagnostic-level=error',
          '--',
          ...files,
        ],
        { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
      ).status;

const staged = git('diff', '--cached', '--name-only', '--diff-filter=ACMR', '-z');
const unstaged = new Set(git('diff', '--name-only', '-z'));
const whole = staged.filter((file) => !unstaged.has(file));
const partial = staged.filter((file) => unstaged.has(file));
const faults = [biome(['--write'], whole), biome([], partial)];
const formatted = git('diff', '--name-only', '-z').filter((file) => whole.includes(file));
if (formatted.length > 0) spawnSync('git', ['add', '--', ...formatted], { cwd: root, stdio: 'inherit' });
process.exit(faults.some((status) => status !== 0) ? 1 : 0);
