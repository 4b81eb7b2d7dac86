import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { repositoryRoot } from '#lib/local/paths.ts';

/** Folders whose files people write, and that documents may name. */
export const SOURCE_FOLDERS = [
  'app',
  'lib',
  'tests',
  'scripts',
  'prisma',
  'docs',
  'packages/client',
  'public',
  '.github',
  '.ci',
] as const;

const SKIPPED = new Set(['node_modules', 'generated', 'screenshots', 'dist', '.git']);

/** Every file of the source folders and of the root, as paths with `/` from the root, sorted. Generated ones are left out. */
export async function projectFiles(): Promise<string[]> {
  const files: string[] = [];
  const visit = async (folder: string): Promise<void> => {
    const entries = await readdir(path.join(repositoryRoot, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const place = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFile()) files.push(place);
      else if (entry.isDirectory() && folder !== '' && !SKIPPED.has(entry.name)) await visit(place);
    }
  };
  await visit('');
  for (const folder of SOURCE_FOLDERS) await visit(folder);
  return files.sort();
}
