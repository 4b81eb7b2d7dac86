import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

type ModuleClosure = {
  /** Our own files, relative to the root, sorted. */
  files: string[];
  /** Folders of packages below the root (`node_modules/pg`), with everything that they depend on, sorted. */
  packages: string[];
};

type Locked = {
  dev?: boolean;
  devOptional?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

/** What an import statement names, types apart: those are gone when Node runs the file. */
const IMPORT =
  /^\s*(?:import|export)\s(?!type\s)[^'"]*?from\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm;

/**
 * The files of ours that `entries` reach by import, and the packages that those need in production. Development's packages are left
 * out: what imports them does so only where nothing is configured.
 */
export function moduleClosure(root: string, entries: readonly string[]): ModuleClosure {
  const files = new Set<string>();
  const names = new Set<string>();
  const visit = (file: string) => {
    if (files.has(file)) return;
    files.add(file);
    if (!/\.(ts|mjs)$/.test(file)) return;
    for (const match of readFileSync(path.join(root, file), 'utf8').matchAll(IMPORT)) {
      const name = match[1] ?? match[2] ?? match[3] ?? '';
      if (name.startsWith('node:')) continue;
      if (name.startsWith('.')) visit(path.posix.join(path.posix.dirname(file), name));
      else if (/^#(lib|app|tests)\//.test(name)) visit(name.slice(1));
      else names.add(packageOf(name));
    }
  };
  for (const entry of entries) visit(entry);
  return { files: [...files].sort(), packages: packagesOf(root, names) };
}

function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

function packagesOf(root: string, names: Iterable<string>): string[] {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const found = new Set<string>();
  const visit = (name: string, from: string) => {
    const place = placeOf(packages, name, from);
    const locked = place === undefined ? undefined : packages[place];
    if (place === undefined || !locked || locked.dev || found.has(place)) return;
    // An optional package of another platform is in the lockfile and not on the disk.
    if (!existsSync(path.join(root, place))) return;
    found.add(place);
    for (const next of Object.keys({ ...locked.dependencies, ...locked.optionalDependencies }))
      visit(next, place);
  };
  for (const name of names) visit(name, '');
  return [...found].sort();
}

/** Where Node finds a package that one at `from` asks for: beside it, or in a folder above. */
function placeOf(packages: Record<string, Locked>, name: string, from: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const place = `${folder ? `${folder}/` : ''}node_modules/${name}`;
    if (place in packages) return place;
    if (folder === '') return undefined;
  }
}
