'use client';
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useOptimistic,
  useRef,
  useTransition,
} from 'react';
import { mustStay } from '#app/_ui/must-stay.ts';

type Ask = (changes: Record<string, string>, how?: 'replace' | 'push') => void;

/**
 * The parameters of a page, in its address. Changes made while an answer is pending add up: each is based on the last one asked for, which `search`
 * already shows. An empty value removes the parameter. Without network the changes wait, because leaving the page would lose it.
 */
export function useAddress(): { search: URLSearchParams; pending: boolean; ask: Ask } {
  const router = useRouter();
  const path = usePathname();
  const current = useSearchParams().toString();
  const [pending, start] = useTransition();
  const [shown, show] = useOptimistic(current);
  const wanted = useRef(current);
  // A layout effect: a later effect could lose a change asked for on the page that has just appeared.
  useLayoutEffect(() => {
    if (!pending) wanted.current = current;
  }, [current, pending]);
  /** How the change that waits for the network will be made; null if none waits. */
  const waiting = useRef<'replace' | 'push' | null>(null);
  const go = useCallback(
    (text: string, how: 'replace' | 'push') => {
      waiting.current = mustStay(document.querySelector('h1')?.textContent ?? '') ? how : null;
      if (waiting.current) return;
      start(() => {
        show(text);
        router[how](text ? `${path}?${text}` : path, { scroll: false });
      });
    },
    [path, router, show],
  );
  useEffect(() => {
    const back = () => waiting.current && go(wanted.current, waiting.current);
    window.addEventListener('online', back);
    return () => window.removeEventListener('online', back);
  }, [go]);
  const ask = useCallback<Ask>(
    (changes, how = 'replace') => {
      const query = new URLSearchParams(wanted.current);
      for (const [name, value] of Object.entries(changes)) {
        if (value === '') query.delete(name);
        else query.set(name, value);
      }
      const text = query.toString();
      if (text === wanted.current) return;
      wanted.current = text;
      go(text, how);
    },
    [go],
  );
  const search = useMemo(() => new URLSearchParams(shown), [shown]);
  return { search, pending, ask };
}
