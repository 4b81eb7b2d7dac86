import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '#lib/local/paths.ts';

// npm run function-sizes [-- <build folder>], after a build: what each route or page would weigh as a function of its own, by the files
// that Next traced for it. Exit code 1 at 50 MB.
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

const functions = globSync('**/{route,page}.js.nft.json', { cwd: folder }).map((trace) => {
  const at = path.join(folder, path.dirname(trace));
  const { files } = JSON.parse(readFileSync(path.join(folder, trace), 'utf8')) as { files: string[] };
  const bytes = [...new Set(files.map((file) => path.resolve(at, file)))].reduce(
    (sum, file) => sum + sizeOf(file),
    0,
  );
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
process.exitCode = heavy.length === 0 ? 0 : 1;
