import { readdir } from 'node:fs/promises';
import path from 'node:path';

/** Where the files of products lie: `<account>/<product>.ts`. */
export const PRODUCT_FILES = path.join(import.meta.dirname, 'accounts');

/** The paths of the files under a folder, relative to it, without hidden files (`.DS_Store`). */
export async function filesIn(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));
}

/** The places (`<account>/<product>`) of the files that are there: those already listed in their order, then the others. */
export async function listedPlaces(
  listed: readonly string[],
  folder: string = PRODUCT_FILES,
): Promise<string[]> {
  const there = (await filesIn(folder))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort();
  return [
    ...listed.filter((place) => there.includes(place)),
    ...there.filter((place) => !listed.includes(place)),
  ];
}
