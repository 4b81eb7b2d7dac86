import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '#lib/local/paths.ts';

// npm run function-sizes [-- <build folder>], after a build: what each route or page would weigh as a function of its own, by the files
// that Next traced for it, and whether those that start a program of ours have it and its packages with them. Exit code 1 at 50 MB, or when
// something is missing.
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

/** A program that a function may start, by the name that its bundle has of it, and the package that it cannot do without. */
type Program = { file: string; needs: string; not?: string };
const PROGRAMS: readonly Program[] = [
  { file: 'lib/storage/media/clip-process.ts', needs: 'mediabunny' },
  // Taking up an import reads no file; its bundle shares a chunk with those that do.
  {
    file: 'lib/brain/imports/child-process/reader-process.ts',
    needs: 'unpdf',
    not: 'api/brain/imports/[id]/route',
  },
  { file: 'lib/studio/composition/composition-process.ts', needs: 'sharp' },
];
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
  for (const { file, needs, not } of started)
    if (
      !(not && trace.startsWith(`${not}.`)) &&
      (!carried.has(file) || ![...carried].some((one) => one.startsWith(`node_modules/${needs}/`)))
    )
      lacking.push(`${trace}: ${file}, with ${needs}`);
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
console.log(`${starters} of them may start a program of ours; ${lacking.length} lack one or its package.`);
for (const one of lacking) console.error(`✗ ${one}`);
if (starters === 0) console.error('✗ No function was found to start a program: the check sees nothing.');
process.exitCode = lacking.length === 0 && starters > 0 && heavy.length === 0 ? 0 : 1;
