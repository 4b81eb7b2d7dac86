'use client';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { Menu } from '#app/_ui/action/menu.tsx';
import type { MenuItem } from '#app/_ui/action/menu-item.ts';
import { Badge, Status } from '#app/_ui/data/badge.tsx';
import { date, duration, shortDate } from '#app/_ui/format.ts';
import { lazyPart } from '#app/_ui/lazy-part.ts';
import { useClock } from '#app/_ui/use-clock.ts';
import { KIND_LABELS } from '#lib/messages/studio.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import type { ReviewWords } from '../../review/review-words.ts';
import { shortTitle, titleOf } from '../../title.ts';
import { useNow } from '../../use-now.ts';
import { CASE_LABELS, moneyWords, nextCloser } from '../../words.ts';
import { ChooseRow } from './choose-row.tsx';
import { TilePages } from './pages.tsx';
import type { ShownFileRetention } from './retention-words.ts';

/** Loads the code that shows how long a file is kept, which is read once the list is there. */
export const loadRetentionHint = () => import('./retention-hint.tsx');
const RetentionHint = lazyPart(loadRetentionHint, null, null);

export type TileProps = {
  row: GenerationView;
  /** The icon of the kind. */
  icon: ReactNode;
  retention: ShownFileRetention | undefined;
  /** Until when the deleted files are in the bin. */
  binnedUntil: string | undefined;
  /** The decisions on the files, in words; null if there are none or they are not read yet. */
  review: ReviewWords | null;
  /** The name of the member who asked for the generation, if it is not the reader. */
  author: string | null;
  now: string;
  selected: boolean;
  onSelect: (id: string) => void;
  /** The address of its page, with the query of this list. */
  href: string;
  menu: MenuItem[];
};

/** A generation in the contact sheet. Its height does not depend on what loads later, so that the grid never jumps. */
export function Tile({
  row,
  icon,
  binnedUntil,
  retention,
  review,
  author,
  now,
  selected,
  onSelect,
  href,
  menu,
}: TileProps) {
  const title = titleOf(row);
  return (
    <article data-generation={row.id} data-status={row.status} className="tile">
      {row.files.length > 0 ? (
        <div className="tile-media">
          <TilePages files={row.files} alt={shortTitle(title)} />
        </div>
      ) : row.status === 'running' ? (
        <Running row={row} now={now} />
      ) : (
        <Silent row={row} binnedUntil={binnedUntil} />
      )}
      <div className="tile-line">
        {review && row.status === 'done' ? (
          <Badge
            tone={review.tone}
            icon={review.icon}
            className="relative z-10 shrink"
            {...(review.tip ? { tip: review.tip } : {})}
          >
            {review.label}
          </Badge>
        ) : (
          <Status status={row.status} />
        )}
        <Age at={row.createdAt} now={now} />
      </div>
      <h2>
        <Link href={href} data-row-link prefetch={false} className="truncate">
          {title}
        </Link>
      </h2>
      <p className="truncate">
        {icon}
        {CASE_LABELS[row.case ?? ''] ?? KIND_LABELS[row.kind]}
        {author ? ` · ${author}` : ''}
      </p>
      <div className="tile-line tile-foot">
        <span className="truncate">{moneyWords(row)}</span>
        {retention ? <RetentionHint retention={retention} now={now} /> : null}
      </div>
      <ChooseRow title={title} selected={selected} onSelect={() => onSelect(row.id)} />
      {/* The three dots are drawn by the class. */}
      <Menu label={`Actions sur ${shortTitle(title, 60)}`} items={menu} className="tile-menu touch">
        {null}
      </Menu>
    </article>
  );
}

function Running({ row, now }: { row: GenerationView; now: string }) {
  const at = useNow(now, true);
  return (
    <div className="tile-media tabular flex flex-col items-center justify-center gap-2 p-3 text-center text-xs before:absolute before:inset-x-0 before:top-0 before:h-0.5 before:animate-breathe before:bg-run">
      <span className="font-mono text-base text-ink">
        {duration(Math.max(1000, at - Date.parse(row.createdAt)))}
      </span>
      <span className="text-balance text-ink-soft">{nextCloser(row, at)}</span>
    </div>
  );
}

function Silent({ row, binnedUntil }: Pick<TileProps, 'row' | 'binnedUntil'>) {
  return (
    <div className="tile-media grid place-items-center p-3 text-center text-ink-soft text-xs">
      <p className="line-clamp-6 text-balance">
        {row.message ??
          (row.status !== 'deleted'
            ? row.label
            : binnedUntil
              ? `Dans la corbeille jusqu’au ${date(binnedUntil)}. La ligne et son coût restent.`
              : 'Le fichier a été supprimé. La ligne et son coût restent.')}
      </p>
    </div>
  );
}

/** The age of a generation in the little room of a phone's tile: « 2 min ». The exact time is in the tooltip. */
function Age({ at, now }: { at: string; now: string }) {
  const seconds = Math.max(0, (useClock(now) - Date.parse(at)) / 1000);
  const ago =
    seconds < 3600 ? `${Math.floor(seconds / 60)}\u00a0min` : `${Math.floor(seconds / 3600)}\u00a0h`;
  return (
    <time dateTime={at} data-tip="">
      {seconds < 60 ? (
        'à l’instant'
      ) : seconds < 86_400 ? (
        <>
          <span className="sr-only">il y a </span>
          {ago}
        </>
      ) : (
        shortDate(at)
      )}
    </time>
  );
}
