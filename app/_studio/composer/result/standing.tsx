import { reviewWords } from '#app/_studio/review/review-words.ts';
import { CASE_LABELS, moneyWords } from '#app/_studio/words.ts';
import { Badge, Status } from '#app/_ui/data/badge.tsx';
import { KIND_LABELS } from '#lib/messages/studio.ts';
import type { ShownFileRetention } from '../../journal/rows/retention-words.ts';
import { endedWords } from './stand.ts';
import type { Shown } from './use-results.ts';

type Props = { shown: Shown; filesOf: (id: string) => readonly ShownFileRetention[] };

/**
 * The state of the request, in one live region from sending to the file: a region that appears with its text may not be announced. Its height does
 * not depend on what it says, so that nothing below moves.
 */
export function Standing({ shown, filesOf }: Props) {
  const { sent, rows, focus } = shown;
  const judged = focus && reviewWords(filesOf(focus.id));
  const status = focus?.status ?? (sent?.flying && rows.length === 0 ? 'running' : null);
  return (
    <div className="min-h-14 space-y-1 text-sm">
      <p className="flex min-h-6 flex-wrap items-center gap-x-3">
        <span role="status" className="tabular text-ink-soft">
          {status ? <Status status={status} /> : null}
          {!focus && rows.length > 0 ? `${endedWords(rows)} Choisissez-en une pour la juger.` : null}
        </span>
        {focus ? <span className="tabular font-mono text-ink-soft">{moneyWords(focus)}</span> : null}
      </p>
      {focus ? (
        <p className="flex min-h-6 flex-wrap items-center gap-x-3">
          <span className="text-ink-faint">{CASE_LABELS[focus.case ?? ''] ?? KIND_LABELS[focus.kind]}</span>
          {judged ? (
            <Badge tone={judged.tone} icon={judged.icon} {...(judged.tip ? { tip: judged.tip } : {})}>
              {judged.label}
            </Badge>
          ) : null}
        </p>
      ) : null}
    </div>
  );
}
