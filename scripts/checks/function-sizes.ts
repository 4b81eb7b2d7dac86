import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '#lib/local/paths.ts';
import { moduleClosure } from '../deploy/module-closure.ts';

// npm run function-sizes [-- <build folder>], after a build: what each route or page would weigh as a function of its own, by the files
// that Next traced for it, and whether those that start a program of ours have it, all of ours that it imports and its package with them.
// Exit code 1 at 50 MB, or when something is missing.
const LIMIT_MB = 50;
const SHOWN = 12;
const folder = path.resolve(repositoryRoot, process.argv[2] ?? '.next', 'server/app');
const sizes = new Map<string, number>();

function sizeOf(file: string): number {
  const known = sizes.get(file);
  if (known !== undefined) return known;
  const found = statSync(file, { throwIfNoEntry: false });
  const bytes = found?.isFile() ? found.size : 0;
  sizes.set(file, bytes);
  return bytes;
}

/**
 * A program that a function may start, by the name that its bundle has of it, and the package that it cannot do without. `not`: functions
 * whose bundle names it, and that never start it.
 */
type Program = { file: string; needs?: string; not?: RegExp };
const PROGRAMS: readonly Program[] = [
  { file: 'lib/storage/media/clip-process.ts', needs: 'mediabunny' },
  // Taking up an import reads no file; its bundle shares a chunk with those that do.
  {
    file: 'lib/brain/imports/child-process/reader-process.ts',
    needs: 'unpdf',
    not: /^api\/brain\/imports\/\[id\]\/route\./,
  },
  // Previews, documents of the routes and of the tools, and the tools themselves compose nothing.
  {
    file: 'lib/studio/composition/composition-process.ts',
    needs: 'sharp',
    not: /^(\(cockpit\)\/(creer|applications)\/|\(public\)\/docs\/|llms|api\/(mcp|docs|(v1\/)?openapi\.json)\/)/,
  },
  { file: 'lib/brain/text/split-process.ts' },
];

const partsOf = new Map<Program, string[]>();

/** The program and all of ours that it imports; with the root's package, without which `#lib/…` leads nowhere. */
function filesOf(program: Program): string[] {
  const known = partsOf.get(program);
  if (known) return known;
  const { files } = moduleClosure(repositoryRoot, [program.file]);
  const isRooted = files.some((one) => readFileSync(path.join(repositoryRoot, one), 'utf8').includes("'#"));
  const found = isRooted ? [...files, 'package.json'] : files;
  partsOf.set(program, found);
  return found;
}

const startedBy = new Map<string, Program[]>();

function programsOf(file: string): Program[] {
  const known = startedBy.get(file);
  if (known) return known;
  const isBundle = /[/\\]server[/\\].*\.js$/.test(file) && !file.includes('node_modules');
  const text = isBundle && statSync(file, { throwIfNoEntry: false }) ? readFileSync(file, 'utf8') : '';
  const found = PROGRAMS.filter((program) => text.includes(path.basename(program.file)));
  startedBy.set(file, found);
  return found;
}

const lacking: string[] = [];
let starters = 0;

const functions = globSync('**/{route,page}.js.nft.json', { cwd: folder }).map((trace) => {
  const at = path.join(folder, path.dirname(trace));
  const { files } = JSON.parse(readFileSync(path.join(folder, trace), 'utf8')) as { files: string[] };
  const bytes = [...new Set(files.map((file) => path.resolve(at, file)))].reduce(
    (sum, file) => sum + sizeOf(file),
    0,
  );
  const carried = new Set(files.map((file) => path.relative(repositoryRoot, path.resolve(at, file))));
  const started = new Set(files.flatMap((file) => programsOf(path.resolve(at, file))));
  starters += started.size > 0 ? 1 : 0;
  for (const program of started) {
    const { file, needs, not } = program;
    if (not?.test(trace)) continue;
    const missing = filesOf(program).filter((one) => !carried.has(one));
    if (needs && ![...carried].some((one) => one.startsWith(`node_modules/${needs}/`))) missing.push(needs);
    if (missing.length > 0) lacking.push(`${trace}: ${file}, without ${missing.join(', ')}`);
  }
  return { name: trace.replace('.js.nft.json', ''), files: files.length, MB: Math.round(bytes / 1e5) / 10 };
});
if (functions.length === 0) {
  console.error(`No build in ${folder}: npm run build first.`);
  process.exit(2);
}
functions.sort((a, b) => b.MB - a.MB);
console.table(functions.slice(0, SHOWN));
const heavy = functions.filter(({ MB }) => MB >= LIMIT_MB);
console.log(
  `${functions.length} functions; the largest weighs ${functions[0]?.MB} MB, ${heavy.length} weigh ${LIMIT_MB} MB or more.`,
);
console.log(`${starters} of them may start a program of ours; ${lacking.length} lack one or a part of it.`);
for (const one of lacking) console.error(`✗ ${one}`);
if (starters === 0) console.error('✗ No function was found to start a program: the check sees nothing.');
process.exitCode = lacking.length === 0 && starters > 0 && heavy.length === 0 ? 0 : 1;
