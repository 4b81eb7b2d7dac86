import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * The commit hook of .githooks, in a clone that has none of its own. Not in CI, not in a linked work tree (its configuration is the
 * clone's), not outside git; never a reason for a command to fail.
 */
export function installHook(root) {
  const config = path.join(root, '.git', 'config');
  if (process.env.CI || !existsSync(config)) return;
  if (/^\s*hooksPath\s*=/im.test(readFileSync(config, 'utf8'))) return;
  spawnSync('git', ['config', 'core.hooksPath', '.githooks'], { cwd: root, stdio: 'ignore' });
}

if (process.argv[1] === import.meta.filename) installHook(path.resolve(import.meta.dirname, '../..'));
