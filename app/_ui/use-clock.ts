'use client';
import { useSyncExternalStore } from 'react';

const EVERY_MS = 30_000;

// One clock for the page, however many ages it shows: they all turn together.
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
 * The time to reckon ages from, in milliseconds: the server's while the page wakes up, so that both draw the same words, then the
 * browser's, anew every thirty seconds and when one comes back to the page.
 */
export function useClock(serverNow: Date | string): number {
  const now = useSyncExternalStore(
    subscribe,
    () => nowMs,
    () => null,
  );
  return now ?? new Date(serverNow).getTime();
}
