'use client';
import { Check, CircleX, Columns2, Download, LoaderCircle, RefreshCw, Trash2, X } from 'lucide-react';
import Link from 'next/link';
import { useEffect, useRef } from 'react';
import { Button, buttonClass } from '#app/_ui/action/button.tsx';
import type { Failure } from '#app/_ui/api-error.ts';
import { count, number } from '#app/_ui/format.ts';
import { Notice } from '#app/_ui/state/notice.tsx';
import { JOURNAL_COUNT_LIMIT } from '#lib/studio/limits.ts';
import type { Reviewing } from '../review/use-review.tsx';
import { compareHref, MOST_COMPARED } from './filters/query.ts';

const totalWords = (total: number) =>
  total > JOURNAL_COUNT_LIMIT
    ? `plus de ${number(JOURNAL_COUNT_LIMIT)}\u00a0générations`
    : count(total, 'génération');

type MoreProps = {
  shown: number;
  total: number;
  hasMore: boolean;
  loading: boolean;
  failure: Failure | null;
  onMore: () => void;
};

/** The foot of the list: how much of it is here, and the rest, which comes by itself as one scrolls. */
export function More({ shown, total, hasMore, loading, failure, onMore }: MoreProps) {
  const foot = useRef<HTMLDivElement>(null);
  const latest = useRef(onMore);
  latest.current = onMore;
  useEffect(() => {
    const element = foot.current;
    if (!element || !hasMore || failure || loading) return;
    const watcher = new IntersectionObserver(
      (entries) => {
        if (entries.at(-1)?.isIntersecting) latest.current();
      },
      { rootMargin: '1200px 0px' },
    );
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [hasMore, failure, loading]);
  return (
    <div ref={foot} className="mt-5 flex flex-col items-center gap-3 text-ink-soft text-sm">
      {failure ? (
        <Notice
          tone="fail"
          role="alert"
          requestId={failure.requestId}
          action={
            <Button size="sm" icon={RefreshCw} onClick={onMore}>
              Réessayer
            </Button>
          }
        >
          {failure.message}
        </Notice>
      ) : null}
      <p className="tabular inline-flex items-center gap-2">
        {loading ? <LoaderCircle aria-hidden size={14} className="animate-turn" /> : null}
        {shown < total ? `${number(shown)} sur ${totalWords(total)}` : totalWords(total)}
      </p>
      {hasMore && !failure ? (
        <Button size="sm" variant="quiet" pending={loading} onClick={onMore}>
          Afficher la suite
        </Button>
      ) : null}
    </div>
  );
}

/** What can be done with the rows that were chosen. */
export function Selection({
  selected,
  onClear,
  decide,
}: {
  selected: readonly string[];
  onClear: () => void;
  /** Absent: the member decides nothing. */
  decide?: { review: Reviewing; remove: (generationIds: readonly string[]) => void };
}) {
  if (selected.length === 0) return null;
  const label = (words: string) => <span className="max-sm:sr-only">{words}</span>;
  return (
    <div
      role="status"
      className="fixed inset-x-4 bottom-4 z-30 mx-auto flex w-fit max-w-[calc(100vw-2rem)] items-center gap-1 rounded-md border border-line bg-raised py-2 pr-2 pl-4 text-sm shadow-raised max-lg:bottom-20 sm:gap-2"
    >
      <span className="tabular mr-1 whitespace-nowrap">
        {number(selected.length)}
        {label(selected.length === 1 ? '\u00a0choisie' : '\u00a0choisies')}
      </span>
      {selected.length >= 2 && selected.length <= MOST_COMPARED ? (
        <Link href={compareHref(selected)} className={buttonClass('primary', 'sm')}>
          <Columns2 aria-hidden size={16} />
          {label('Comparer')}
        </Link>
      ) : null}
      {decide ? (
        <>
          <Button
            size="sm"
            icon={Check}
            pending={decide.review.pending}
            onClick={() => decide.review.approve(selected)}
          >
            {label('Approuver')}
          </Button>
          <Button size="sm" icon={CircleX} onClick={() => decide.review.reject(selected)}>
            {label('Rejeter')}
          </Button>
        </>
      ) : null}
      <a
        href={`/api/generations/archive?ids=${selected.join(',')}`}
        download
        className={buttonClass('secondary', 'sm')}
      >
        <Download aria-hidden size={16} />
        {label('Télécharger')}
      </a>
      {decide ? (
        <Button
          size="sm"
          icon={Trash2}
          onClick={() => {
            decide.remove(selected);
            onClear();
          }}
        >
          {label('Supprimer')}
        </Button>
      ) : null}
      <Button size="sm" variant="quiet" icon={X} onClick={onClear}>
        {label('Ne plus choisir')}
      </Button>
    </div>
  );
}
