import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * If Vitest was started with an older Node, runs it again with the Node 24 installed under `root`, for which the code is written, and exits with its
 * status. Throws, with what to do, if there is none.
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
