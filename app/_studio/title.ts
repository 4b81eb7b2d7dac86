import { KIND_LABELS } from '#lib/messages/studio.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';

/** The title of a generation: its request, else its kind. */
export function titleOf(row: GenerationView): string {
  return row.params.brief?.trim() || KIND_LABELS[row.kind];
}

/**
 * A title shortened for labels and tooltips, at most `most` code points before the ellipsis, never before a combining mark. Small, for scripts that
 * load first; elsewhere use `cutShort`.
 */
export function shortTitle(title: string, most = 80): string {
  return title.replace(new RegExp(`^(.{${most}}\\p{M}*).+`, 'su'), '$1…');
}
