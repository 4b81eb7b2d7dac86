import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startScheduler } from '#lib/local/serving/scheduler.ts';

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-03-01T03:00:00Z') }));
afterEach(() => void vi.useRealTimers());

function schedule(status: number | (() => number), refused?: Error) {
  const calls: string[] = [];
  const said: string[] = [];
  const keys = new Set<string | null>();
  const scheduler = startScheduler({
    baseUrl: 'http://127.0.0.1:1',
    secret: 'bearer-of-the-cron',
    say: (line) => said.push(line),
    fetch: (async (url: string, init: RequestInit) => {
      const { pathname, search } = new URL(url);
      calls.push(`${new Date().toISOString().slice(11, 16)} ${pathname}${search}`);
      keys.add(new Headers(init.headers).get('authorization'));
      if (refused) throw refused;
      return new Response(null, { status: typeof status === 'number' ? status : status() });
    }) as typeof fetch,
  });
  return { calls, said, keys, scheduler };
}

it('the scheduler tells webhooks every minute, sweeps every five and retires once a day at 03:40 UTC', async () => {
  const { calls, said, keys, scheduler } = schedule(200);
  await vi.advanceTimersByTimeAsync(24 * 3_600_000);
  expect(calls.filter((call) => call.endsWith('sweep'))).toHaveLength(288);
  expect(calls.filter((call) => call.endsWith('webhooks'))).toHaveLength(1_440);
  expect(calls.filter((call) => call.endsWith('retention'))).toEqual(['03:40 /api/cron/retention']);
  // Checked here, because an error thrown by the call itself only counts as one of its failures.
  expect([[...keys], said]).toEqual([['Bearer bearer-of-the-cron'], []]);
  scheduler.stop();
  calls.length = 0;
  await vi.advanceTimersByTimeAsync(24 * 3_600_000);
  expect(calls).toEqual([]);
});

it('the scheduler says a failure once, also that a route does not exist: its address is not the service’s', async () => {
  const absent = schedule(404);
  const failing = schedule(500);
  await vi.advanceTimersByTimeAsync(20 * 60_000);
  const said = (status: number) =>
    ['webhooks', 'generations-sweep', 'retention?if=missed'].map((job) => `/api/cron/${job}: HTTP ${status}`);
  expect(absent.said).toEqual(said(404));
  expect(failing.said).toEqual(said(500));
});

it('the scheduler says a failure that comes back after its route had answered', async () => {
  let now = 503;
  const { said, scheduler } = schedule(() => now);
  const failure = '/api/cron/webhooks: HTTP 503';
  await vi.advanceTimersByTimeAsync(3 * 60_000);
  expect(said).toEqual([failure]);
  now = 200;
  await vi.advanceTimersByTimeAsync(60_000);
  now = 503;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(said).toEqual([failure]);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(said.filter((line) => line === failure)).toEqual([failure, failure]);
  scheduler.stop();
});

it('the scheduler says why nobody answers, not only that the call failed', async () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
  const { said, scheduler } = schedule(200, new TypeError('fetch failed', { cause }));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(said).toEqual(['/api/cron/webhooks: TypeError < Error ECONNREFUSED']);
  scheduler.stop();
});

it('a machine that slept through 03:40 has its night soon after it wakes, and the next one at its hour', async () => {
  const { calls, scheduler } = schedule(200);
  const nights = () => calls.filter((call) => call.endsWith('retention'));
  await vi.advanceTimersByTimeAsync(5 * 60_000);
  // While the machine sleeps, the clock goes on but no timer runs.
  vi.setSystemTime(new Date('2026-03-01T08:00:00Z'));
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  expect(nights()).toEqual(['08:05 /api/cron/retention']);
  await vi.advanceTimersByTimeAsync(20 * 3_600_000);
  expect(nights()).toEqual(['08:05 /api/cron/retention', '03:40 /api/cron/retention']);
  // A clock that is set back by more than a day is followed.
  vi.setSystemTime(new Date('2026-02-20T03:00:00Z'));
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(nights()).toHaveLength(3);
  scheduler.stop();
});

it('a machine that is off at 03:40 asks for the night it missed a little after it starts, until it is answered', async () => {
  vi.setSystemTime(new Date('2026-03-01T08:00:00Z'));
  let status = 503;
  const { calls, scheduler } = schedule(() => status);
  const nights = () => calls.filter((call) => call.includes('retention'));
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  expect(nights()).toEqual(['08:06 /api/cron/retention?if=missed']);
  status = 200;
  await vi.advanceTimersByTimeAsync(10 * 3_600_000);
  expect(nights()).toEqual(['08:06', '08:16'].map((at) => `${at} /api/cron/retention?if=missed`));
  scheduler.stop();
});

it('a service that is being deployed at 03:40 has its night a little after, once, and the next one at its hour', async () => {
  let status = 200;
  const { calls, scheduler } = schedule(() => status);
  const nights = () => calls.filter((call) => call.includes('retention'));
  await vi.advanceTimersByTimeAsync(30 * 60_000);
  calls.length = 0;
  status = 502;
  await vi.advanceTimersByTimeAsync(25 * 60_000);
  status = 200;
  await vi.advanceTimersByTimeAsync(24 * 3_600_000);
  expect(nights()).toEqual([
    '03:40 /api/cron/retention',
    '03:50 /api/cron/retention?if=missed',
    '04:00 /api/cron/retention?if=missed',
    '03:40 /api/cron/retention',
  ]);
  // However many nights it is away, each look asks once.
  status = 502;
  await vi.advanceTimersByTimeAsync(3 * 24 * 3_600_000);
  calls.length = 0;
  await vi.advanceTimersByTimeAsync(60 * 60_000);
  expect(nights()).toHaveLength(6);
  scheduler.stop();
});
