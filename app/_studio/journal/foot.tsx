'use client';
import { LoaderCircle, RefreshCw } from 'lucide';
import { useEffect, useRef } from 'react';
import { Button } from '#app/_ui/action/button.tsx';
import type { Failure } from '#app/_ui/api-error.ts';
import { Icon } from '#app/_ui/icon.tsx';
import { Notice } from '#app/_ui/state/notice.tsx';
import { listedWords } from './listed-words.ts';

type MoreProps = {
  shown: number;
  total: number;
  hasMore: boolean;
  loading: boolean;
  failure: Failure | null;
  onMore: () => void;
};

/** The `ref` of a button that disappears when pressed: its focus moves to the foot of the list. */
const footAfter = (button: HTMLElement | null) => {
  const foot = button?.closest<HTMLElement>('[data-foot]');
  return () => {
    if (button !== document.activeElement) return;
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) foot?.focus({ preventScroll: true });
    });
  };
};

/** The foot of the list: how many generations are shown, and the next page, which loads as the reader scrolls. */
export default function More({ shown, total, hasMore, loading, failure, onMore }: MoreProps) {
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
      { rootMargin: '800px 0px' },
    );
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [hasMore, failure, loading]);
  return (
    <div
      ref={foot}
      data-foot
      tabIndex={-1}
      className="mt-5 flex flex-col items-center gap-3 text-ink-soft text-sm outline-none"
    >
      {failure ? (
        <Notice
          tone="fail"
          role="alert"
          requestId={failure.requestId}
          action={
            <Button ref={footAfter} size="sm" icon={RefreshCw} onClick={onMore}>
              Réessayer
            </Button>
          }
        >
          {failure.message}
        </Notice>
      ) : null}
      <p className="tabular inline-flex items-center gap-2">
        {loading ? <Icon of={LoaderCircle} size={14} className="animate-turn" /> : null}
        {listedWords(shown, total, hasMore)}
      </p>
      {hasMore && !failure ? (
        <Button ref={footAfter} size="sm" variant="quiet" pending={loading} onClick={onMore}>
          Afficher la suite
        </Button>
      ) : null}
    </div>
  );
}
