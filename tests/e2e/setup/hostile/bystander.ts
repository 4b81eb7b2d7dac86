import { expect } from 'vitest';
import type { Seat } from '../scenes/brain.ts';

/** What another account saw while an attack ran. */
export type Seen = { idleMs: number; worstMs: number; asked: number };
export type Bystander = {
  during<T>(attack: () => Promise<T>): Promise<{ result: T; seen: Seen; tookMs: number }>;
};

/** Between two questions, so that the member's own rate is not what refuses one. */
const PAUSE_MS = 400;

/**
 * A member of another account who goes on working: their Space's page, its context and the service's health, over and over while an
 * attack runs. Every answer must be 200. `idleMs` is what the slowest took just before.
 */
export function bystander(baseUrl: string, seat: Seat, spaceId: string): Bystander {
  const paths = [`/espaces/${spaceId}`, `/api/brain/spaces/${spaceId}/context`, '/api/health'];
  const headers = { cookie: `${seat.cookie.name}=${seat.cookie.value}` };
  const ask = async (path: string) => {
    const startedAt = performance.now();
    const answer = await fetch(baseUrl + path, { headers, redirect: 'manual' });
    await answer.arrayBuffer();
    expect([path, answer.status]).toEqual([path, 200]);
    return performance.now() - startedAt;
  };
  const round = async () => Math.max(...(await Promise.all(paths.map(ask))));
  return {
    async during(attack) {
      const idleMs = Math.max(await round(), await round());
      let [worstMs, asked, over] = [0, 0, false];
      const watching = (async () => {
        do {
          worstMs = Math.max(worstMs, await round());
          asked += paths.length;
          if (!over) await new Promise((later) => setTimeout(later, PAUSE_MS));
        } while (!over);
      })();
      const startedAt = performance.now();
      try {
        const result = await attack();
        const tookMs = performance.now() - startedAt;
        over = true;
        await watching;
        return { result, tookMs, seen: { idleMs, worstMs, asked } };
      } finally {
        over = true;
        await watching.catch(() => undefined);
      }
    },
  };
}
