import type { GenerationView } from '#lib/studio/journal/view.ts';
import { leftFiles } from '../left-files.ts';
import { titleOf } from '../title.ts';

/** What the lightbox knows of a generation; `files` are the remaining ones. */
export type Shown = Pick<GenerationView, 'id' | 'createdAt' | 'files' | 'label' | 'message'> & {
  title: string;
};
export type Neighbours = { newer: Shown | null; older: Shown | null };
/** A file of a generation. */
export type Place = { row: Shown; file: number };

/** A generation as the lightbox shows it. */
export function shownOf(row: GenerationView): Shown {
  const { id, createdAt, label, message } = row;
  return { id, createdAt, files: leftFiles(row), label, message, title: titleOf(row) };
}

/** Whether a file can be seen; audio is only heard. */
export const isSeen = (file: { contentType: string } | undefined) =>
  file !== undefined && !file.contentType.startsWith('audio/');

/** The place after or before a file: within the generation first, then the first or last file of its neighbour. Null at the end of the list. */
export function placeBeside({ row, file }: Place, beside: Neighbours, forward: boolean): Place | null {
  const next = file + (forward ? 1 : -1);
  if (row.files[next]) return { row, file: next };
  const other = forward ? beside.older : beside.newer;
  return other && { row: other, file: forward ? 0 : Math.max(0, other.files.length - 1) };
}
