import { faultLabel } from '#lib/core/faults.ts';

/** The jobs of vercel.json, as the local scheduler calls them. `everyMs` from the start, or daily at a UTC time. */
const JOBS = [
  { path: '/api/cron/generations-sweep', everyMs: 5 * 60_000 },
  { path: '/api/cron/webhooks', everyMs: 60_000 },
  { path: '/api/cron/retention', dailyAtMinutes: 3 * 60 + 40 },
] as const;

type Scheduler = { stop(): void };

/** A daily job whose hour passed while nothing ran is asked for this long after the start: the service knows whether it was had. */
const CATCH_UP_MS = 6 * 60_000;

/** Timers pause while the machine sleeps: the clock is checked at this interval. A daily job that failed is asked for at it too. */
const LOOK_MS = 10 * 60_000;

/**
 * Calls the cron routes of a service as the hosting platform would, one call of a job at a time. A failure is told once per kind, and again
 * when it comes back after a call that succeeded. A daily job that was missed, or that nobody took, is caught up once. An absent route (404) is a
 * failure: the address is not the service's.
 */
export function startScheduler(options: {
  baseUrl: string;
  secret: string;
  say: (line: string) => void;
  fetch?: typeof fetch;
  now?: () => number;
}): Scheduler {
  const { baseUrl, secret, say } = options;
  const send = options.fetch ?? fetch;
  const now = options.now ?? Date.now;
  const stopping = new AbortController();
  /** By route, the failures that were told since it last answered. */
  const said = new Map<string, Set<string>>();
  const timers = new Set<NodeJS.Timeout>();

  const call = async (path: string) => {
    try {
      const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(300_000)]);
      const response = await send(`${baseUrl}${path}`, {
        headers: { authorization: `Bearer ${secret}` },
        signal,
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      said.delete(path);
      return true;
    } catch (error) {
      const line = `${path}: ${wordsOf(error)}`;
      const told = said.get(path) ?? new Set<string>();
      if (!stopping.signal.aborted && !told.has(line)) say(line);
      said.set(path, told.add(line));
      return false;
    }
  };
  const later = (delayMs: number, work: () => Promise<void>) => {
    if (stopping.signal.aborted) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      void work();
    }, delayMs);
    timer.unref();
    timers.add(timer);
  };
  const repeat = (path: string, everyMs: number) =>
    later(everyMs, async () => {
      await call(path);
      repeat(path, everyMs);
    });
  const daily = (path: string, minutes: number, plannedMs = Number.POSITIVE_INFINITY) => {
    // The earlier of both: the clock may have been set back since.
    const dueMs = Math.min(plannedMs, now() + untilMinutes(now(), minutes));
    later(Math.min(dueMs - now(), LOOK_MS), async () => {
      if (now() < dueMs) return daily(path, minutes, dueMs);
      const isTaken = await call(path);
      daily(path, minutes);
      if (!isTaken) catchUp(path, LOOK_MS);
    });
  };
  /** Daily jobs that are asked for until they are answered: one look of each at a time, however many days it failed. */
  const catchingUp = new Set<string>();
  const catchUp = (path: string, delayMs: number) => {
    if (catchingUp.has(path)) return;
    catchingUp.add(path);
    later(delayMs, async () => {
      const isAnswered = await call(`${path}?if=missed`);
      catchingUp.delete(path);
      if (!isAnswered) catchUp(path, LOOK_MS);
    });
  };
  for (const job of JOBS)
    if ('everyMs' in job) repeat(job.path, job.everyMs);
    else {
      daily(job.path, job.dailyAtMinutes);
      catchUp(job.path, CATCH_UP_MS);
    }
  return {
    stop() {
      stopping.abort();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/** The cause of a « fetch failed », which alone says nothing. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : faultLabel(error);
}

const DAY_MS = 86_400_000;

function untilMinutes(nowMs: number, minutes: number): number {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS + minutes * 60_000;
  return today > nowMs ? today - nowMs : today + DAY_MS - nowMs;
}
