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
import { journalHref, type Query } from './filters/query.ts';

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
  query,
  onClear,
  decide,
}: {
  selected: readonly string[];
  query: Query;
  onClear: () => void;
  /** Absent: the member decides nothing. */
  decide?: { review: Reviewing; remove: (generationIds: readonly string[]) => void };
}) {
  if (selected.length === 0 || (query.comparer && query.comparer === selected.join(','))) return null;
  return (
    <div
      role="status"
      className="fixed inset-x-4 bottom-4 z-30 mx-auto flex w-fit max-w-[calc(100vw-2rem)] flex-wrap items-center gap-2 rounded-md border border-line bg-raised py-2 pr-2 pl-4 text-sm shadow-raised max-lg:bottom-20"
    >
      <span className="tabular whitespace-nowrap">{count(selected.length, 'choisie')}</span>
      {selected.length === 2 ? (
        <Link
          href={journalHref(query, { comparer: selected.join(',') })}
          className={buttonClass('primary', 'sm')}
          onClick={() => window.scrollTo({ top: 0 })}
        >
          <Columns2 aria-hidden size={16} />
          Comparer
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
            Approuver
          </Button>
          <Button size="sm" icon={CircleX} onClick={() => decide.review.reject(selected)}>
            Rejeter
          </Button>
        </>
      ) : null}
      <a
        href={`/api/generations/archive?ids=${selected.join(',')}`}
        download
        className={buttonClass('secondary', 'sm')}
      >
        <Download aria-hidden size={16} />
        Télécharger
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
          Supprimer
        </Button>
      ) : null}
      <Button size="sm" variant="quiet" icon={X} onClick={onClear}>
        Ne plus choisir
      </Button>
    </div>
  );
}
