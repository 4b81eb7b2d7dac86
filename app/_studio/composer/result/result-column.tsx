'use client';
import { useFileRetention } from '#app/_studio/journal/use-file-retention.ts';
import { useReview } from '#app/_studio/review/use-review.tsx';
import type { Sent } from '../sending/use-sending.ts';
import { LiveTile } from './live-tile.tsx';
import { ResultStrip } from './strip.tsx';
import type { Results } from './use-results.ts';

/** The large tile and the last results under it; nothing before there is anything to show. */
export default function ResultColumn({
  results,
  onAgain,
  onDismiss,
}: {
  results: Results;
  onAgain: (one: Sent) => void;
  onDismiss: (key: string) => void;
}) {
  const { now, strip } = results;
  const retention = useFileRetention(now.rows);
  const filesOf = (id: string) => retention.files.get(id) ?? [];
  const review = useReview(filesOf, {
    decided: retention.decide,
    changed: (ids) => ids.forEach(retention.refresh),
  });
  const { focus } = now;
  const at = focus ? strip.findIndex(({ id }) => id === focus.id) : -1;
  const previous =
    strip.slice(at + 1).find((row) => focus && row.kind === focus.kind && row.status === 'done')?.id ?? null;
  return (
    <>
      {now.sent || focus ? (
        <LiveTile
          shown={now}
          filesOf={filesOf}
          review={review}
          previous={previous}
          onAgain={onAgain}
          onDismiss={onDismiss}
          onChoose={results.choose}
          onTogether={results.together}
        />
      ) : null}
      <ResultStrip results={results} />
      {review.dialog}
    </>
  );
}
