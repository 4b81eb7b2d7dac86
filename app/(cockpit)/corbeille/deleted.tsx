import type { ReactNode } from 'react';
import { date } from '#app/_ui/format.ts';
import { Time } from '#app/_ui/text/time.tsx';

type Props = {
  one: { deletedAt: Date; erasedAt: Date; by: string | null };
  now: Date;
  /** « Supprimé », agreed with what it is. */
  word: string;
  /** « Sera effacé », likewise. */
  until: string;
  title: ReactNode;
  excerpt?: string;
  /** What it is and where it was. */
  children: ReactNode;
};

/** A line of the bin: what it was, who deleted it, when, and until when it can come back. */
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
          {/* A day, not an age: it is what one reckons with. */}
          {until} le <time dateTime={one.erasedAt.toISOString()}>{date(one.erasedAt)}</time>
        </span>
      </div>
    </div>
  );
}
