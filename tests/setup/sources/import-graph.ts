import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';
import { repositoryRoot } from '#lib/local/paths.ts';

/** An import between two of our files, as paths from the root. `typeOnly`: it does not exist at run time. */
export type Import = { from: string; to: string; typeOnly: boolean };

/** Every import between the files of these folders, type imports included, without generated files. */
export function readImports(folders: readonly string[]): Import[] {
  const imports: Import[] = [];
  for (const folder of folders)
    for (const name of readdirSync(path.join(repositoryRoot, folder), {
      recursive: true,
      encoding: 'utf8',
    })) {
      const from = path.posix.join(folder, name.split(path.sep).join('/'));
      if (!/\.tsx?$/.test(from) || from.includes('/generated/')) continue;
      for (const { specifier, typeOnly } of specifiersOf(from)) {
        const to = target(from, specifier);
        if (to && !to.includes('/generated/')) imports.push({ from, to, typeOnly });
      }
    }
  return imports;
}

function specifiersOf(file: string): { specifier: string; typeOnly: boolean }[] {
  const { module, errors } = parseSync(file, readFileSync(path.join(repositoryRoot, file), 'utf8'));
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]?.message}`);
  return [
    ...module.staticImports.map(({ moduleRequest, entries }) => ({
      specifier: moduleRequest.value,
      typeOnly: entries.length > 0 && entries.every(({ isType }) => isType),
    })),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) =>
        moduleRequest ? [{ specifier: moduleRequest.value, typeOnly: isType }] : [],
      ),
    ),
    ...dynamicImports(file),
  ];
}

function dynamicImports(file: string): { specifier: string; typeOnly: boolean }[] {
  const text = readFileSync(path.join(repositoryRoot, file), 'utf8');
  return [...text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g)].map(([, specifier]) => ({
    specifier: specifier as string,
    typeOnly: false,
  }));
}

/** The file that a specifier names; undefined for a package. */
function target(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1);
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(from), specifier);
  return undefined;
}

/** Groups of nodes that import each other in a cycle, each sorted: the strongly connected components with more than one member. */
export function ringsOf(edges: readonly { from: string; to: string }[]): string[][] {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of edges) {
    if (from === to) continue;
    next.set(from, (next.get(from) ?? new Set()).add(to));
  }
  const reached = new Map<string, Set<string>>();
  for (const start of next.keys()) {
    const seen = new Set<string>();
    const open = [start];
    for (let at = open.pop(); at !== undefined; at = open.pop())
      for (const to of next.get(at) ?? [])
        if (!seen.has(to)) {
          seen.add(to);
          open.push(to);
        }
    reached.set(start, seen);
  }
  const rings = new Map<string, string[]>();
  for (const [node, seen] of reached) {
    if (!seen.has(node)) continue;
    const ring = [...seen].filter((other) => reached.get(other)?.has(node)).sort();
    rings.set(ring.join(' '), ring);
  }
  return [...rings.values()].sort((a, b) => a.join().localeCompare(b.join()));
}
