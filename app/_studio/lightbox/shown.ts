import type { GenerationView } from '#lib/studio/journal/view.ts';
import { titleOf } from '../title.ts';

/** What the lightbox knows of a row. */
export type Shown = Pick<GenerationView, 'id' | 'createdAt' | 'files' | 'label' | 'message'> & {
  title: string;
};
export type Neighbours = { newer: Shown | null; older: Shown | null };

/** A row as the lightbox shows it. */
export function shownOf(row: GenerationView): Shown {
  const { id, createdAt, files, label, message } = row;
  return { id, createdAt, files, label, message, title: titleOf(row) };
}

/** Whether a file is looked at: a sound is heard where it stands. */
export const isSeen = (file: { contentType: string } | undefined) =>
  file !== undefined && !file.contentType.startsWith('audio/');
