import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { UNPRIVILEGED } from './debian.ts';

/**
 * Servers run as nobody, who may not reach a Node below root's own folder (a clone in /root, nvm). Then all of this command runs again by a copy
 * of it that anybody reaches, and this process ends as that one does; otherwise nothing happens. Throws when the copy cannot be run either.
 */
export async function useReachableNode(): Promise<void> {
  const canRun = (node: string) =>
    spawnSync(node, ['--version'], { ...UNPRIVILEGED, cwd: '/', stdio: 'ignore' }).status === 0;
  if (canRun(process.execPath)) return;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'atelier-node-'));
  let status: number | null = 1;
  try {
    const node = path.join(folder, 'node');
    copyFileSync(process.execPath, node);
    chmodSync(folder, 0o755);
    chmodSync(node, 0o755);
    if (!canRun(node))
      throw new Error(
        `Nobody (user ${UNPRIVILEGED.uid}) can run ${process.execPath}, nor a copy of it in ${os.tmpdir()}: set TMPDIR to a folder that all users may enter and run programs from.`,
      );
    const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], { stdio: 'inherit' });
    // Whoever ends this process means that one; a terminal's Ctrl-C reaches both, and that one ends what it started.
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
    process.on('SIGINT', () => undefined);
    status = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', resolve);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  process.exit(status ?? 1);
}
