import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * Vitest called from a shell with another Node goes on with the one that was installed under `root`, and ends as that run does: the code under
 * test is for that one. Throws, with what to do, when there is none.
 */
export function onOurNode(
  root: string,
  host: Pick<NodeJS.Process, 'version' | 'argv' | 'exit'> = process,
): void {
  if (Number(/^v(\d+)\./.exec(host.version)?.[1]) >= 24) return;
  const node = path.join(root, 'node_modules/node/bin/node');
  if (!existsSync(node))
    throw new Error(`Tests need Node 24, this is ${host.version}: run npm ci, or npm test.`);
  const { status } = spawnSync(node, host.argv.slice(1), { stdio: 'inherit' });
  host.exit(status ?? 1);
}
