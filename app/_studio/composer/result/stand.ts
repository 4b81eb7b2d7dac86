import { count } from '#app/_ui/format.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import { type ComposerKind, kindOf } from '../draft/draft.ts';
import { readBody } from '../sending/post-request.ts';
import type { Shown } from './use-results.ts';

/**
 * The state of a request in one word: the status of the generation shown alone; `running` while one of several runs, `done` if one was delivered;
 * `waiting`, `refused` or `sending` before it has any.
 */
export function standOf({ sent, rows, focus }: Shown): string {
  if (focus) return focus.status;
  if (rows.length > 0) {
    if (rows.some(({ status }) => status === 'running')) return 'running';
    return rows.some(({ status }) => status === 'done') ? 'done' : (rows[0]?.status ?? 'done');
  }
  if (sent?.waiting) return 'waiting';
  return sent?.refusal ? 'refused' : 'sending';
}

/** The kind of what is shown, known as soon as the request is sent. */
export function kindOfShown({ sent, rows, focus }: Shown): ComposerKind | undefined {
  const row = focus ?? rows[0];
  return row
    ? kindOf(row.kind.toLowerCase())
    : sent
      ? kindOf(String(readBody(sent.body).request.kind))
      : undefined;
}

/** How the generations of a request ended, in words. A file deleted since does not count as failed: it was delivered and paid. */
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
