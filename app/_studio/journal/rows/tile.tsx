'use client';
import { Ellipsis } from 'lucide';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { Menu } from '#app/_ui/action/menu.tsx';
import type { MenuItem } from '#app/_ui/action/menu-item.ts';
import { cx } from '#app/_ui/cx.ts';
import { Badge, Status } from '#app/_ui/data/badge.tsx';
import { date, duration, exactTime, shortDate } from '#app/_ui/format.ts';
import { Icon } from '#app/_ui/icon.tsx';
import { lazyPart } from '#app/_ui/lazy-part.ts';
import { useClock } from '#app/_ui/use-clock.ts';
import { KIND_LABELS } from '#lib/messages/studio.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import type { ReviewWords } from '../../review/review-words.ts';
import { titleOf } from '../../title.ts';
import { useNow } from '../../use-now.ts';
import { CASE_LABELS, moneyWords, nextCloser } from '../../words.ts';
import { ChooseRow } from './choose-row.tsx';
import { TilePages } from './pages.tsx';
import type { ShownFileRetention } from './retention-words.ts';

/** What says how long a file stays: the server is asked for that once the list is there. */
export const loadRetentionHint = () => import('./retention-hint.tsx');
const RetentionHint = lazyPart(loadRetentionHint);

export type TileProps = {
  row: GenerationView;
  /** Of its kind. */
  icon: ReactNode;
  retention: ShownFileRetention | undefined;
  /** Until when its files wait in the bin. */
  binnedUntil: string | undefined;
  /** What quality control says of its files; null where there is none, or before it is known. */
  review: ReviewWords | null;
  /** Name of who asked, when it is not the reader. */
  author: string | null;
  now: string;
  selected: boolean;
  onSelect: (id: string) => void;
  /** Its page, which remembers this list. */
  href: string;
  menu: MenuItem[];
};

/** One generation of the contact sheet. Its height depends on nothing that comes later: the grid never jumps. */
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
    <article
      data-generation={row.id}
      data-status={row.status}
      className={cx(
        'group relative flex min-w-0 flex-col overflow-hidden rounded-md border bg-surface transition-colors has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-accent-ink has-[a:focus-visible]:outline-offset-2',
        selected ? 'border-accent-ink' : 'border-line hover:border-line-strong',
      )}
    >
      <div className="relative aspect-square overflow-hidden bg-sunken">
        {row.files.length > 0 ? (
          <TilePages files={row.files} alt={title} />
        ) : row.status === 'running' ? (
          <Running row={row} now={now} />
        ) : (
          <Silent row={row} binnedUntil={binnedUntil} />
        )}
      </div>
      <div className="flex min-w-0 grow flex-col gap-1 p-3">
        <div className="flex min-w-0 items-center justify-between gap-2">
          {review && row.status === 'done' ? (
            <span className="relative z-10 flex min-w-0">
              <Badge tone={review.tone} icon={review.icon} {...(review.tip ? { tip: review.tip } : {})}>
                {review.label}
              </Badge>
            </span>
          ) : (
            <Status status={row.status} />
          )}
          <Age at={row.createdAt} now={now} />
        </div>
        <h2 className="mt-0.5 min-w-0 text-sm">
          <Link
            href={href}
            data-row-link
            prefetch={false}
            data-tip={title.length > 28 ? title.slice(0, 400) : undefined}
            className="block truncate font-medium outline-none after:absolute after:inset-0 after:rounded-md focus-visible:outline-none"
          >
            {title}
          </Link>
        </h2>
        <p className="flex min-w-0 items-center gap-1.5 text-ink-faint text-xs">
          {icon}
          <span className="truncate">
            {CASE_LABELS[row.case ?? ''] ?? KIND_LABELS[row.kind]}
            {author ? ` · ${author}` : ''}
          </span>
        </p>
        <div className="mt-auto flex min-h-6 min-w-0 items-center justify-between gap-2 text-xs">
          <span className="tabular truncate font-mono text-ink-soft">{moneyWords(row)}</span>
          {retention ? <RetentionHint retention={retention} now={now} /> : null}
        </div>
      </div>
      <ChooseRow
        title={title}
        selected={selected}
        onSelect={() => onSelect(row.id)}
        className="absolute top-1 left-1 z-20 size-9 opacity-0 transition-opacity focus-within:opacity-100 group-hover:opacity-100 has-checked:opacity-100 pointer-coarse:opacity-100"
      />
      {menu.length > 0 ? (
        <span className="absolute right-1 bottom-9 z-20 opacity-0 transition-opacity focus-within:opacity-100 group-hover:opacity-100 has-aria-expanded:opacity-100 pointer-coarse:opacity-100">
          <Menu
            label={`Actions sur ${title.slice(0, 60)}`}
            items={menu}
            className="touch grid size-8 place-items-center rounded-md bg-surface/90 text-ink-soft hover:bg-hover hover:text-ink"
          >
            <Icon of={Ellipsis} size={16} />
          </Menu>
        </span>
      ) : null}
    </article>
  );
}

function Running({ row, now }: { row: GenerationView; now: string }) {
  const at = useNow(now, true);
  return (
    <div className="flex size-full flex-col items-center justify-center gap-2 p-3 text-center text-xs">
      <span aria-hidden className="absolute inset-x-0 top-0 h-0.5 animate-breathe bg-run" />
      <span className="tabular font-mono text-base text-ink">
        {duration(Math.max(1000, at - Date.parse(row.createdAt)))}
      </span>
      <span className="tabular text-balance text-ink-soft">{nextCloser(row, at)}</span>
    </div>
  );
}

function Silent({ row, binnedUntil }: Pick<TileProps, 'row' | 'binnedUntil'>) {
  return (
    <p className="grid size-full place-items-center overflow-hidden p-3 text-center text-ink-soft text-xs">
      <span className="line-clamp-6 text-balance" data-tip={row.message ?? undefined}>
        {row.message ??
          (row.status !== 'deleted'
            ? row.label
            : binnedUntil
              ? `Dans la corbeille jusqu’au ${date(binnedUntil)}. La ligne et son coût restent.`
              : 'Le fichier a été supprimé. La ligne et son coût restent.')}
      </span>
    </p>
  );
}

/** How old a row is, in the room that a phone's tile has: « 2 min » for the eye; the exact time on hover. */
function Age({ at, now }: { at: string; now: string }) {
  const seconds = Math.max(0, (useClock(now) - Date.parse(at)) / 1000);
  const ago =
    seconds < 3600 ? `${Math.floor(seconds / 60)}\u00a0min` : `${Math.floor(seconds / 3600)}\u00a0h`;
  return (
    <time dateTime={at} data-tip={exactTime(at)} className="relative z-10 truncate text-ink-faint text-xs">
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
