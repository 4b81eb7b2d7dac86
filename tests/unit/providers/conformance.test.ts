import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_BUDGETS } from '#lib/providers/budgets.ts';
import type { ProviderFailure } from '#lib/providers/ports.ts';
import { recordedServices } from '#lib/providers/wiring/create-providers.ts';
import {
  json,
  liveProviders,
  NOON,
  networkError,
  PORT_CALLS,
  recordedProviders,
  SECRETS,
  scriptedNetwork,
  silence,
} from './calls.ts';

const failureOf = (result: { outcome: string }): ProviderFailure => {
  expect(result.outcome).toBe('failed');
  return result as ProviderFailure;
};

const NONSENSE: Record<string, () => Response> = {
  'an empty body': () => new Response(''),
  'a page of HTML': () => new Response('<html>hello</html>', { headers: { 'content-type': 'text/html' } }),
  'JSON null': json(null),
  'a JSON list': json([1, 2, 3]),
  'another object': json({ hello: 'there' }),
  'bytes that are no text': () => new Response(new Uint8Array([0xff, 0xfe, 0x00])),
  'a redirect': () =>
    new Response(null, { status: 302, headers: { location: 'https://elsewhere.example/' } }),
};

/** Replaces the `at`-th field, counted through all levels of the document. */
function damageOneField(document: unknown, at: number, value: unknown): void {
  const places: [Record<string, unknown>, string][] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const key of Object.keys(node)) {
      places.push([node as Record<string, unknown>, key]);
      walk((node as Record<string, unknown>)[key]);
    }
  };
  walk(document);
  const place = places[at % places.length];
  if (place) place[0][place[1]] = value;
}

test('the budgets are those of the specification', () => {
  expect(DEFAULT_BUDGETS).toMatchObject({
    image: 120_000,
    vector: 60_000,
    voice: 60_000,
    videoStart: 60_000,
    voiceOrigin: 10_000,
  });
});

describe.each(PORT_CALLS)('$name', ({ run, paidOnce }) => {
  test('gives up at its budget, says so, and never repeats a request that timed out', async () => {
    const network = scriptedNetwork(silence);
    const failure = failureOf(await run(liveProviders(network.fetch), { timeoutMs: 30 }));
    expect(failure).toMatchObject({ reason: 'timeout', retrySafe: 'unknown', attempts: 1 });
    expect(network.sent).toHaveLength(1);
  });

  test('honours the caller’s abort, before and during the request', async () => {
    const network = scriptedNetwork(silence);
    const before = failureOf(await run(liveProviders(network.fetch), { signal: AbortSignal.abort() }));
    expect(before).toMatchObject({ reason: 'aborted', retrySafe: 'surely-not-sent' });
    expect(network.sent).toHaveLength(0);
    const controller = new AbortController();
    const pending = run(liveProviders(network.fetch), { signal: controller.signal });
    setTimeout(() => controller.abort(), 10);
    expect(failureOf(await pending)).toMatchObject({ reason: 'aborted', retrySafe: 'unknown' });
  });

  test('repeats a request that surely was not sent, at most three times in all', async () => {
    const network = scriptedNetwork(networkError('ECONNREFUSED'));
    const failure = failureOf(await run(liveProviders(network.fetch)));
    expect(failure).toMatchObject({ reason: 'unreachable', retrySafe: 'surely-not-sent', attempts: 3 });
    expect(network.sent).toHaveLength(3);
  });

  test('repeats a request cut after sending only when a repeat is harmless', async () => {
    const network = scriptedNetwork(networkError('ECONNRESET'));
    const failure = failureOf(await run(liveProviders(network.fetch)));
    expect(failure).toMatchObject({ reason: 'connection-lost', retrySafe: 'unknown' });
    expect(network.sent).toHaveLength(paidOnce ? 1 : 3);
  });

  test('repeats a server error only when a repeat is harmless', async () => {
    const network = scriptedNetwork(json({ error: { message: 'boom', type: 'internal_server_error' } }, 500));
    const failure = failureOf(await run(liveProviders(network.fetch)));
    expect(failure).toMatchObject({ reason: 'provider-error', retrySafe: 'unknown', status: 500 });
    expect(network.sent).toHaveLength(paidOnce ? 1 : 3);
  });

  test('waits as told when the provider says « not accepted », and does not wait past its budget', async () => {
    const soon = scriptedNetwork(json({ message: 'slow down' }, 429, { 'retry-after': '0' }));
    expect(failureOf(await run(liveProviders(soon.fetch)))).toMatchObject({
      reason: 'rate-limited',
      retrySafe: 'surely-not-sent',
      attempts: 3,
    });
    const late = scriptedNetwork(json({ message: 'later' }, 503, { 'retry-after': '3600' }));
    const failure = failureOf(await run(liveProviders(late.fetch)));
    expect(failure).toMatchObject({ retrySafe: 'surely-not-sent', attempts: 1, retryAfterMs: 3_600_000 });
  });

  test('tells a refused key from other refusals, and does not repeat it', async () => {
    const network = scriptedNetwork(json({ error: { message: 'no', type: 'authentication_error' } }, 401));
    expect(failureOf(await run(liveProviders(network.fetch)))).toMatchObject({
      reason: 'unauthorized',
      retrySafe: 'refused',
      attempts: 1,
    });
  });

  test.each(Object.entries(NONSENSE))(
    'turns %s into a typed failure, never a thrown error',
    async (_, answer) => {
      const result = await run(liveProviders(scriptedNetwork(answer).fetch));
      expect(failureOf(result)).toMatchObject({ reason: 'bad-answer', retrySafe: 'unknown' });
    },
  );

  test('never shows a secret, even one that the provider echoes', async () => {
    const all = Object.values(SECRETS).join(' ');
    const network = scriptedNetwork(json({ message: `bad key ${all}`, error: { message: all } }, 400));
    const text = JSON.stringify(await run(liveProviders(network.fetch)));
    for (const secret of Object.values(SECRETS)) expect(text).not.toContain(secret);
  });

  test('whatever JSON arrives, ends in a typed outcome', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.constantFrom(200, 201, 400, 404, 500), async (body, status) => {
        const result = await run(liveProviders(scriptedNetwork(json(body, status)).fetch));
        expect(typeof result.outcome).toBe('string');
      }),
      { numRuns: 40 },
    );
  });

  test('whatever one field of a right answer becomes, ends in a typed outcome', async () => {
    const right: Response[] = [];
    const recorded = recordedServices(() => new Date(NOON));
    await run(
      recordedProviders({}, undefined, async (...call) => {
        const response = await recorded(...call);
        right.push(response.clone());
        return response;
      }),
    );
    const text = await (right[0] as Response).text();
    expect(text).toMatch(/^\{/);
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.jsonValue(), async (at, value) => {
        const damaged = JSON.parse(text);
        damageOneField(damaged, at, value);
        const result = await run(liveProviders(scriptedNetwork(json(damaged)).fetch));
        expect(typeof result.outcome).toBe('string');
      }),
      { numRuns: 60 },
    );
  });

  test('sends its key in a header only, follows no redirect, and sends nothing without a key', async () => {
    const network = scriptedNetwork(json({}));
    await run(liveProviders(network.fetch));
    const [first] = network.sent;
    expect(first?.url.startsWith('https://')).toBe(true);
    for (const secret of Object.values(SECRETS)) {
      expect(first?.url).not.toContain(secret);
      expect(JSON.stringify(first?.body ?? null)).not.toContain(secret);
    }
    const silent = scriptedNetwork(json({}));
    const failure = failureOf(await run(liveProviders(silent.fetch, { secrets: {} })));
    expect(failure).toMatchObject({ reason: 'not-configured', retrySafe: 'surely-not-sent', attempts: 0 });
    expect(silent.sent).toHaveLength(0);
  });
});

describe('on recorded answers', () => {
  const expected: Record<string, string> = {
    'video.start without a key': 'started',
    'video.start with a key': 'started',
    'lipsync.start': 'started',
    'lipsync.status': 'completed',
    'render.dispatch': 'dispatched',
    'render.status': 'succeeded',
    // Asked about a job and a generation that no recorded answer started:
    'video.status': 'failed',
    'cost.cost': 'failed',
  };
  test.each(PORT_CALLS)('$name needs no key and no network', async ({ name, run }) => {
    expect((await run(recordedProviders())).outcome).toBe(expected[name] ?? 'success');
  });
});
