import type { FileView } from '#lib/studio/journal/view.ts';

/** The files of a row that are there, in their order: what retention took beside a kept one is neither shown, counted nor offered. */
export function leftFiles({ files }: { files: readonly FileView[] }): FileView[] {
  return files.filter(({ deletedAt }) => !deletedAt);
}
