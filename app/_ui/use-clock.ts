'use client';
import { useSyncExternalStore } from 'react';

const EVERY_MS = 30_000;

// One clock for the whole page, so that all ages change together.
const listeners = new Set<() => void>();
let nowMs: number | null = null;
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  if (document.hidden) return;
  nowMs = Date.now();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) {
    nowMs = Date.now();
    timer = setInterval(tick, EVERY_MS);
    document.addEventListener('visibilitychange', tick);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    document.removeEventListener('visibilitychange', tick);
    nowMs = null;
  };
}

/**
 * The current time in milliseconds, to compute ages from: the server's during hydration, so that both render the same words, then the browser's,
 * updated every thirty seconds and when the page becomes visible again.
 */
export function useClock(serverNow: Date | string): number {
  const now = useSyncExternalStore(
    subscribe,
    () => nowMs,
    () => null,
  );
  return now ?? new Date(serverNow).getTime();
}
