'use client';
import { useFileRetention } from '#app/_studio/journal/use-file-retention.ts';
import { useFocusAfterDecision } from '#app/_studio/review/use-handed-focus.ts';
import { useReview } from '#app/_studio/review/use-review.tsx';
import type { ApiError } from '#app/_ui/api-error.ts';
import { lazyPart } from '#app/_ui/lazy-part.ts';
import { kindOf } from '../draft/draft.ts';
import type { Sent } from '../sending/use-sending.ts';
import { LiveTile } from './live-tile.tsx';
import { kindOfShown } from './stand.ts';
import { ResultStrip } from './strip.tsx';
import type { Results } from './use-results.ts';

const Stopped = lazyPart(() => import('../../journal/stopped.tsx'));

/** The latest results, above the large tile: they stay in place whatever the tile shows. */
export default function ResultColumn({
  results,
  sent,
  onAgain,
  onDismiss,
  stopped,
}: {
  results: Results;
  sent: readonly Sent[];
  onAgain: (one: Sent) => void;
  onDismiss: (key: string) => void;
  /** Why running generations are no longer followed. */
  stopped: ApiError | null;
}) {
  const { now, strip } = results;
  const retention = useFileRetention(now.rows);
  const filesOf = (id: string) => retention.files.get(id) ?? [];
  const review = useReview(filesOf, {
    decided: retention.decide,
    changed: (ids) => ids.forEach(retention.refresh),
  });
  const { focus } = now;
  const offered = focus ? filesOf(focus.id).flatMap(({ reviews }) => reviews) : [];
  const judged = useFocusAfterDecision('[data-live]', offered.join());
  const kind = kindOfShown(now);
  const at = focus ? strip.findIndex(({ id }) => id === focus.id) : -1;
  const previous =
    strip.slice(at + 1).find((row) => kindOf(row.kind.toLowerCase()) === kind && row.status === 'done')?.id ??
    null;
  return (
    <>
      {stopped ? <Stopped error={stopped} /> : null}
      <ResultStrip results={results} sent={sent} />
      {now.sent || focus ? (
        <LiveTile
          shown={now}
          filesOf={filesOf}
          review={{
            ...review,
            approve: (ids) => judged(() => review.approve(ids)),
            reject: (ids) => judged(() => review.reject(ids)),
          }}
          previous={previous}
          onAgain={onAgain}
          onDismiss={onDismiss}
          onChoose={results.choose}
          onTogether={results.together}
        />
      ) : null}
      {review.dialog}
    </>
  );
}
