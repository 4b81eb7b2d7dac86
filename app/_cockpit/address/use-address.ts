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
 * What a page is asked, kept in its address. Changes made while an answer is on its way add up: none is computed from an address
 * that is about to be replaced, and `search` already says them. An empty value takes the parameter away. Without network they wait for it:
 * the page would be lost.
 */
export function useAddress(): { search: URLSearchParams; pending: boolean; ask: Ask } {
  const router = useRouter();
  const path = usePathname();
  const current = useSearchParams().toString();
  const [pending, start] = useTransition();
  const [shown, show] = useOptimistic(current);
  const wanted = useRef(current);
  // At once: what is asked of the page that just came is added to its own address, and is not forgotten.
  useLayoutEffect(() => {
    if (!pending) wanted.current = current;
  }, [current, pending]);
  /** How what waits for the network will be asked for. */
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
