import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startScheduler } from '#lib/local/serving/scheduler.ts';

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-03-01T03:00:00Z') }));
afterEach(() => void vi.useRealTimers());

function schedule(status: number) {
  const calls: string[] = [];
  const said: string[] = [];
  const keys = new Set<string | null>();
  const scheduler = startScheduler({
    baseUrl: 'http://127.0.0.1:1',
    secret: 'bearer-of-the-cron',
    say: (line) => said.push(line),
    fetch: (async (url: string, init: RequestInit) => {
      calls.push(`${new Date().toISOString().slice(11, 16)} ${new URL(url).pathname}`);
      keys.add(new Headers(init.headers).get('authorization'));
      return new Response(null, { status });
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
  // Asked here: what the call itself throws is one of its failures, which is only said.
  expect([[...keys], said]).toEqual([['Bearer bearer-of-the-cron'], []]);
  scheduler.stop();
  calls.length = 0;
  await vi.advanceTimersByTimeAsync(24 * 3_600_000);
  expect(calls).toEqual([]);
});

it('the scheduler says nothing of a route that does not exist, and a failure once', async () => {
  const absent = schedule(404);
  const failing = schedule(500);
  await vi.advanceTimersByTimeAsync(20 * 60_000);
  expect(absent.said).toEqual([]);
  expect(failing.said).toEqual(['/api/cron/webhooks: HTTP 500', '/api/cron/generations-sweep: HTTP 500']);
});
