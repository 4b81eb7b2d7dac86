import { spawnSync } from 'node:child_process';
import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { repositoryRoot } from '#lib/local/paths.ts';
import { generateClient } from '#lib/local/prisma/client.ts';
import { nextCli } from '#lib/local/serving/build.ts';
import { keepCompiledCommands } from './compiled-commands.ts';
import { linksOut } from './links-out.ts';
import { moduleClosure } from './module-closure.ts';

// npm run container-tree -- <folder>: builds the app and lays out, in an empty folder, all that an image of it holds and nothing else:
// the server with the modules that it imports, its pages' files, the migrations, and the commands that an operator runs beside it.
// The Dockerfile and `npm run deployment-test` both use it.

/** What is run beside the server: `node scripts/migrate.ts`. */
const COMMANDS = ['scripts/migrate.ts', 'scripts/admin.ts', 'scripts/scheduler.ts'];

const target = process.argv[2];
if (!target) {
  console.error('Usage: npm run container-tree -- <empty folder>');
  process.exit(2);
}
const tree = path.resolve(target);
await mkdir(tree, { recursive: true });
if ((await readdir(tree)).length > 0) {
  console.error(`${tree} is not empty.`);
  process.exit(2);
}

await generateClient();
const standalone = path.join(repositoryRoot, '.next/standalone');
await rm(standalone, { recursive: true, force: true });
const { status } = spawnSync(process.execPath, [nextCli(), 'build'], {
  cwd: repositoryRoot,
  env: { ...process.env, SERVICE_STANDALONE: '1', NEXT_TELEMETRY_DISABLED: '1' },
  stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 1);

/** Nobody runs them: types, maps, and the engines of databases that are not ours. */
const NOT_RUN = /\.d\.[cm]?ts$|\.map$|\/@types\/|@prisma\/client\/.*(cockroachdb|mysql|sqlite|sqlserver)/;
const copy = (from: string, to = from) =>
  cp(path.join(repositoryRoot, from), path.join(tree, to), {
    recursive: true,
    // Else Node makes them absolute: they would lead to the folder of the build, which an image has not.
    verbatimSymlinks: true,
    filter: (source) => !NOT_RUN.test(source),
  });
await copy('.next/standalone', '.');
await copy('.next/static');
await copy('public');
await copy('prisma');
const { files, packages } = moduleClosure(repositoryRoot, COMMANDS);
for (const place of [...files, ...packages]) await copy(place);
await keepCompiledCommands(tree, files);
const out = linksOut(tree);
if (out.length > 0) {
  console.error(`Links that lead out of ${tree}: ${out.join(', ')}`);
  process.exit(1);
}
console.log(`${tree}: ${files.length} files and ${packages.length} packages beside the server.`);
