import { execFileSync } from 'node:child_process';
import { chmod, chown, mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Who runs an image (its `USER`): what Node keeps of compiled code is found by the same user alone. */
const IMAGE_USER = 65_534;

/** Where a tree keeps what its commands were compiled to. */
export const COMPILED_COMMANDS = '.compile-cache';

/** The admin commands, for a shell in the tree: `./admin …` is `node scripts/admin.ts …`, with what was compiled before. */
const SHELL = `#!/bin/sh
# node scripts/admin.ts, without stripping types and compiling what was stripped and compiled when the tree was laid out.
# Files are named from where it is typed, as npm tells a command.
export INIT_CWD="\${INIT_CWD:-$PWD}"
cd "$(dirname "$0")" && NODE_COMPILE_CACHE="$PWD/${COMPILED_COMMANDS}" exec node scripts/admin.ts "$@"
`;

/**
 * Writes `admin` at the root of a tree, and beside it what Node compiles of `files` (relative to it): more than half of the shortest command's time goes into that. Run as
 * root it is kept for the image's user, else for whoever lays the tree out; for anybody else, in another place or by another Node it is not found, and nothing is lost but time.
 * The server is started without it: it would hold the sources of all that it loads.
 */
export async function keepCompiledCommands(tree: string, files: readonly string[]): Promise<void> {
  const folder = path.join(tree, COMPILED_COMMANDS);
  await mkdir(folder, { recursive: true });
  const user = process.getuid?.() === 0 ? { uid: IMAGE_USER, gid: IMAGE_USER } : {};
  if (user.uid) await chown(folder, user.uid, user.gid);
  const run = (...args: string[]) =>
    execFileSync(process.execPath, args, {
      ...user,
      cwd: tree,
      env: { NODE_COMPILE_CACHE: folder } as unknown as NodeJS.ProcessEnv,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  // An entry would run, and what stands in for the cloud on one machine is no part of an image.
  const modules = files.filter((file) => /^(lib\/(?!local\/)|scripts\/admin\/).*\.ts$/.test(file));
  const source = modules.map((file) => `await import(${JSON.stringify(`./${file}`)});`).join('\n');
  run('--input-type=module', '--eval', source);
  run('scripts/admin.ts', '--help');
  // Whoever it is kept for reads it; nobody writes what will be executed. Node makes these files for their owner alone.
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const place = path.join(entry.parentPath, entry.name);
    if (user.uid) await chown(place, 0, 0);
    await chmod(place, entry.isDirectory() ? 0o755 : 0o644);
  }
  if (user.uid) await chown(folder, 0, 0);
  const admin = path.join(tree, 'admin');
  await writeFile(admin, SHELL);
  await chmod(admin, 0o755);
}
