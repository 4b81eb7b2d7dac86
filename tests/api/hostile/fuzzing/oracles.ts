import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What one request may take, of the clock and of this thread between two turns of its loop. */
export const MOST = { requestMs: 2_000, holdMs: 100 } as const;

export type Cost = { ms: number; holdMs: number };

/**
 * Measures what one piece of work costs: its time, and the longest time that this thread computed between two turns of its loop, of its
 * own processor, so that a busy machine is no held loop.
 */
export function costs(): { of<T>(work: () => Promise<T>): Promise<{ result: T; cost: Cost }>; stop(): void } {
  let last = process.threadCpuUsage();
  let holdMs = 0;
  const turn = () => {
    const { user, system } = process.threadCpuUsage(last);
    holdMs = Math.max(holdMs, (user + system) / 1000);
    last = process.threadCpuUsage();
  };
  const timer = setInterval(turn, 1);
  return {
    async of(work) {
      const startedAt = performance.now();
      last = process.threadCpuUsage();
      holdMs = 0;
      const result = await work();
      turn();
      return { result, cost: { ms: performance.now() - startedAt, holdMs } };
    },
    stop: () => clearInterval(timer),
  };
}

/** Whether a cost is past what one request may take. */
export function isTooMuch({ ms, holdMs }: Cost): boolean {
  return ms > MOST.requestMs || holdMs > MOST.holdMs;
}

let collect: (() => void) | undefined;

/** Bytes that this process holds once everything that nobody needs was collected, and its resident memory. */
export async function liveMemory(): Promise<{ liveBytes: number; rssBytes: number }> {
  if (!collect) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  await new Promise((later) => setTimeout(later, 50));
  collect();
  collect();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { liveBytes: heapUsed + external, rssBytes: rss };
}
