import { KIND_LABELS } from '#lib/messages/studio.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';

/** What a row is called: what was asked, else its type. */
export function titleOf(row: GenerationView): string {
  return row.params.brief?.trim() || KIND_LABELS[row.kind];
}

/** A title in what is heard or told beside a picture: no sign is halved. Light, for the first scripts; elsewhere `cutShort`. */
export function shortTitle(title: string, most = 80): string {
  return title.replace(new RegExp(`^(.{${most}}\\p{M}*).+`, 'su'), '$1…');
}
