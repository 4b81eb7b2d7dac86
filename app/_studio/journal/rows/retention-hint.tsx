'use client';
import { Hourglass, LockKeyhole } from 'lucide';
import { cx } from '#app/_ui/cx.ts';
import { Icon } from '#app/_ui/icon.tsx';
import { useClock } from '#app/_ui/use-clock.ts';
import { HOW_TO_KEEP, retentionWords, type ShownFileRetention } from './retention-words.ts';

/** How long the file of a tile is kept. The script loads after the list's, because the server is asked for this once the list is there. */
export default function RetentionHint({ retention, now }: { retention: ShownFileRetention; now: string }) {
  const { text, short, soon, reason } = retentionWords(retention, useClock(now));
  const icon = retention.lasting ? LockKeyhole : Hourglass;
  return (
    <span
      data-tip={retention.lasting ? `Gardé\u00a0: ${reason}.` : `${text}, ${reason}. ${HOW_TO_KEEP}`}
      className={cx(
        'relative z-10 inline-flex shrink-0 items-center gap-1',
        soon ? 'font-medium text-warn' : 'text-ink-faint',
      )}
    >
      <Icon of={icon} size={12} />
      {/* « Gardé » would mislead on a rejected file that something else keeps: the tooltip gives the reason. */}
      <span aria-hidden>{retention.state === 'REJECTED' && retention.lasting ? '' : short}</span>
      <span className="sr-only">{text}</span>
    </span>
  );
}
