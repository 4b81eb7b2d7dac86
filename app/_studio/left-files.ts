import type { FileView } from '#lib/studio/journal/view.ts';

/** The remaining files of a generation, in their order: a file that the retention rule deleted is neither shown, counted nor offered. */
export function leftFiles({ files }: { files: readonly FileView[] }): FileView[] {
  return files.filter(({ deletedAt }) => !deletedAt);
}
