import { spawnSync } from 'node:child_process';
import { repositoryRoot } from '#lib/local/paths.ts';
import type { Deployment } from './deployment.ts';

/** What each route or page of the tree's own build would weigh as a function, by `npm run function-sizes`: no second build is made for it. */
export async function runFunctions(on: Deployment): Promise<void> {
  if (on.isTreeGiven) {
    const what = 'functions are not weighed: a tree that was given has no build beside it';
    on.steps.push({ what, isLeftOut: true });
    return;
  }
  on.tree();
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/checks/function-sizes.ts'], {
    cwd: repositoryRoot,
    encoding: 'utf8',
  });
  const told = stdout.trim().split('\n').slice(-2).join(' ');
  on.steps.push({
    what: `functions: ${told}`,
    ...(status === 0 ? {} : { fault: `${stderr.trim()}\n    it ended with ${status}` }),
  });
}
