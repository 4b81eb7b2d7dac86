import type { ReactNode } from 'react';
import { date } from '#app/_ui/format.ts';
import { Time } from '#app/_ui/text/time.tsx';

type Props = {
  one: { deletedAt: Date; erasedAt: Date; by: string | null };
  now: Date;
  /** « Supprimé », in the gender and number of the item. */
  word: string;
  /** « Sera effacé », in the gender and number of the item. */
  until: string;
  title: ReactNode;
  excerpt?: string;
  /** The item's kind and where it was. */
  children: ReactNode;
};

/** A line of the bin: what was deleted, by whom, when, and until when it can be restored. */
export function Deleted({ one, now, word, until, title, excerpt, children }: Props) {
  return (
    <div className="min-w-0 grow basis-72">
      <h2 className="wrap-anywhere font-medium text-base">{title}</h2>
      {excerpt ? <p className="truncate text-ink-soft text-sm">{excerpt}</p> : null}
      <div className="mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-1.5 text-ink-faint text-xs">
        {children}
        <span className="wrap-anywhere">
          {word} <Time at={one.deletedAt} now={now} />
          {one.by ? ` par ${one.by}` : ''}
        </span>
        <span className="whitespace-nowrap">
          {/* A date, not an age: the reader compares it with the calendar. */}
          {until} le <time dateTime={one.erasedAt.toISOString()}>{date(one.erasedAt)}</time>
        </span>
      </div>
    </div>
  );
}
