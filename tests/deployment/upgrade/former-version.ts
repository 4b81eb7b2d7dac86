import { rmSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '#lib/local/paths.ts';
import { runCommand, wordsOf } from '../child.ts';
import { type Deployment, protect } from '../deployment.ts';

/** A commit, or why there is none: a clone without history, or a folder that is none. */
type FormerVersion = { commit: string; subject: string } | { absent: string };

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
  } catch (error) {
    const why = asked
      ? `this clone has no commit ${asked}`
      : 'this clone does not hold the commit before the newest migration (git fetch --unshallow brings it)';
    return { absent: `${why}. ${wordsOf(error)}` };
  }
}

/** Lays out the tree of that commit as its own Dockerfile would: its lockfile's packages, its build. Takes minutes, and npm's registry or its cache. */
export function layOutFormerTree(on: Pick<Deployment, 'root' | 'stops'>, commit: string): string {
  const source = path.join(on.root, 'former-source');
  const tree = path.join(on.root, 'former-tree');
  runCommand('git', ['clone', '--quiet', '--no-hardlinks', '--no-checkout', repositoryRoot, source], {});
  runCommand('git', ['checkout', '--quiet', '--detach', commit], { cwd: source });
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
  runCommand('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], { cwd: source, env });
  runCommand(process.execPath, ['scripts/deploy/container-tree.ts', tree], { cwd: source, env });
  rmSync(source, { recursive: true, force: true });
  protect(on, tree);
  return tree;
}

function git(args: string[]): string {
  return runCommand('git', args, { cwd: repositoryRoot }).trim();
}
