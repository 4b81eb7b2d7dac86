import { count } from '#app/_ui/format.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import { type ComposerKind, kindOf } from '../draft/draft.ts';
import { readBody } from '../sending/post-request.ts';
import type { Shown } from './use-results.ts';

/** How a request stands, in one word: what every row of it says, else what is left to wait for. */
export function standOf({ sent, rows, focus }: Shown): string {
  if (focus) return focus.status;
  if (rows.length > 0) {
    if (rows.some(({ status }) => status === 'running')) return 'running';
    return rows.some(({ status }) => status === 'done') ? 'done' : (rows[0]?.status ?? 'done');
  }
  if (sent?.waiting) return 'waiting';
  return sent?.refusal ? 'refused' : 'sending';
}

/** Its type, known from the press on. */
export function kindOfShown({ sent, rows, focus }: Shown): ComposerKind | undefined {
  const row = focus ?? rows[0];
  return row
    ? kindOf(row.kind.toLowerCase())
    : sent
      ? kindOf(String(readBody(sent.body).request.kind))
      : undefined;
}

/** How several generations of one request ended: a file that was deleted since was delivered, and paid. */
export function endedWords(rows: readonly Pick<GenerationView, 'status'>[]): string {
  const some = (...wanted: GenerationView['status'][]) =>
    rows.filter(({ status }) => wanted.includes(status)).length;
  const ended = rows.length - some('running');
  if (ended < rows.length) return `${ended} sur ${rows.length} ${ended > 1 ? 'terminées' : 'terminée'}.`;
  const deleted = some('deleted');
  const failed = rows.length - some('done', 'deleted');
  const parts = [
    count(some('done'), 'livrée'),
    deleted > 0 ? count(deleted, 'supprimée') : '',
    failed > 0 ? count(failed, 'non débitée') : '',
  ];
  return `${parts.filter(Boolean).join(', ')}.`;
}
