import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '#lib/local/paths.ts';
import { type Deployment, protect } from '../parts.ts';

/** A commit, or why there is none: a clone without history, or a folder that is none. */
export type FormerVersion = { commit: string; subject: string } | { absent: string };

/**
 * The version to upgrade from: the commit that was asked for, else the last one before the newest migration, so that the upgrade has at least
 * that one to apply.
 */
export function findFormerVersion(asked: string | undefined): FormerVersion {
  try {
    const newest = ['log', '-1', '--diff-filter=A', '--format=%H', '--', 'prisma/migrations/*/migration.sql'];
    const name = asked ?? `${git(newest)}^`;
    const commit = git(['rev-parse', '--verify', '--quiet', `${name}^{commit}`]);
    return { commit, subject: git(['log', '-1', '--format=%h, %s', commit]) };
  } catch {
    return {
      absent: asked
        ? `this clone has no commit ${asked}`
        : 'this clone does not hold the commit before the newest migration (git fetch --unshallow brings it)',
    };
  }
}

/** Lays out the tree of that commit as its own Dockerfile would: its lockfile's packages, its build. Takes minutes, and npm's registry or its cache. */
export function layOutFormerTree(on: Pick<Deployment, 'root' | 'stops'>, commit: string): string {
  const source = path.join(on.root, 'former-source');
  const tree = path.join(on.root, 'former-tree');
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', '--no-checkout', repositoryRoot, source]);
  execFileSync('git', ['checkout', '--quiet', '--detach', commit], { cwd: source });
  // What npm says of this clone to its scripts is not true of the other; where packages come from is the same.
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_(?!config_)|INIT_CWD$|SERVICE_BUILD_DIR$)/.test(name),
  );
  const env = {
    ...Object.fromEntries(kept),
    PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`,
    CI: '1',
    NEXT_TELEMETRY_DISABLED: '1',
  } as unknown as NodeJS.ProcessEnv;
  const stdio: ['ignore', 'ignore', 'inherit'] = ['ignore', 'ignore', 'inherit'];
  execFileSync('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], { cwd: source, env, stdio });
  execFileSync(process.execPath, ['scripts/deploy/container-tree.ts', tree], { cwd: source, env, stdio });
  rmSync(source, { recursive: true, force: true });
  protect(on, tree);
  return tree;
}

function git(args: string[]): string {
  return execFileSync('git', args, {
    cwd: repositoryRoot,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}
