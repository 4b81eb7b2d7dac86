import { readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';

/** The symbolic links below `folder` that do not stay in it wherever it is moved: absolute ones, and those that climb out. Relative paths, sorted. */
export function linksOut(folder: string): string[] {
  const root = path.resolve(folder);
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isSymbolicLink())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((link) => {
      const target = readlinkSync(link);
      const led = path.resolve(path.dirname(link), target);
      return path.isAbsolute(target) || !`${led}${path.sep}`.startsWith(`${root}${path.sep}`);
    })
    .map((link) => path.relative(root, link))
    .sort();
}
