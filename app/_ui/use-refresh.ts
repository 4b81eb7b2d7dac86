'use client';
import { useRouter } from 'next/navigation';
import { useCallback } from 'react';

/** Returns a function that reads the page again. Without network it does nothing: Next leaves a page that it cannot read again. */
export function useRefresh(): () => void {
  const router = useRouter();
  return useCallback(() => {
    if (navigator.onLine) router.refresh();
  }, [router]);
}
