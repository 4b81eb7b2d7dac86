'use client';
import { useRouter } from 'next/navigation';
import { useCallback } from 'react';

/** Asks for the page anew. Without network it stays as it is: Next leaves a page that it could not read again. */
export function useRefresh(): () => void {
  const router = useRouter();
  return useCallback(() => {
    if (navigator.onLine) router.refresh();
  }, [router]);
}
