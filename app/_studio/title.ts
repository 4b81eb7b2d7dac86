import { KIND_LABELS } from '#lib/messages/studio.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';

/** What a row is called: what was asked, else its type. */
export function titleOf(row: GenerationView): string {
  return row.params.brief?.trim() || KIND_LABELS[row.kind];
}
