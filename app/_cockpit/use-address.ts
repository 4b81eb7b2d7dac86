'use client';
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useCallback, useEffect, useRef, useTransition } from 'react';

/**
 * What a page is asked, kept in its address. Changes made while an answer is on its way add up: none is computed from an address
 * that is about to be replaced. An empty value takes the parameter away.
 */
export function useAddress(): {
  search: URLSearchParams;
  pending: boolean;
  ask: (changes: Record<string, string>) => void;
} {
  const router = useRouter();
  const path = usePathname();
  const search = useSearchParams();
  const [pending, start] = useTransition();
  const wanted = useRef(search.toString());
  useEffect(() => {
    if (!pending) wanted.current = search.toString();
  }, [search, pending]);
  const ask = useCallback(
    (changes: Record<string, string>) => {
      const query = new URLSearchParams(wanted.current);
      for (const [name, value] of Object.entries(changes)) {
        if (value === '') query.delete(name);
        else query.set(name, value);
      }
      wanted.current = query.toString();
      start(() => router.replace(`${path}?${wanted.current}`, { scroll: false }));
    },
    [path, router],
  );
  return { search, pending, ask };
}
