import { describe, expect, test } from 'vitest';
import { json, liveProviders, networkError, ours, SECRETS, scriptedNetwork } from '../calls.ts';

describe('requests to the other services', () => {
  test('sync.so: a clip and a voice, no callback', async () => {
    expect(
      await ours((p) =>
        p.lipsync.start({
          case: 'lipsync',
          visual: { kind: 'url', url: 'https://files.example/clip.mp4' },
          audio: { kind: 'url', url: 'https://files.example/voice.mp3' },
          audioMs: 4_000,
        }),
      ),
    ).toEqual({
      method: 'POST',
      url: 'https://api.sync.so/v2/generate',
      headers: { 'x-api-key': SECRETS.lipsync, 'content-type': 'application/json' },
      body: {
        model: 'lipsync-2',
        input: [
          { type: 'video', url: 'https://files.example/clip.mp4' },
          { type: 'audio', url: 'https://files.example/voice.mp3' },
        ],
        options: { sync_mode: 'bounce' },
      },
    });
  });
});

describe('what a 2xx answer is worth', () => {
  test('a lipsync start whose service does not know what became of it is the job that it names', async () => {
    const start = (answer: () => Response) =>
      liveProviders(scriptedNetwork(answer).fetch).lipsync.start(
        {
          case: 'lipsync',
          visual: { kind: 'url', url: 'https://files.example/clip.mp4' },
          audio: { kind: 'url', url: 'https://files.example/voice.mp3' },
          audioMs: 4_000,
        },
        { idempotencyKey: 'gen_1' },
      );
    const said = { statusCode: 409, errorCode: 'IDEMPOTENCY_OUTCOME_UNKNOWN', message: 'm' };
    expect(await start(json({ ...said, generationId: 'job_7' }, 409))).toEqual({
      outcome: 'started',
      operation: { id: 'job_7' },
      modelId: 'lipsync-2',
      jobId: 'job_7',
      webhook: false,
    });
    const others = [said, { ...said, errorCode: 'IDEMPOTENCY_CONFLICT', generationId: 'job_7' }];
    for (const other of others)
      expect(await start(json(other, 409))).toMatchObject({ outcome: 'failed', status: 409 });
  });

  test('a lipsync job that was named once is adopted, whatever the repeats of its start are told', async () => {
    const begun = json(
      { errorCode: 'IDEMPOTENCY_OUTCOME_UNKNOWN', message: 'm', generationId: 'job_7' },
      409,
    );
    const after = [
      networkError('ECONNRESET'),
      json({ message: 'm' }, 500),
      json({ message: 'm' }, 503, { 'retry-after': '1' }),
      json({ errorCode: 'PAYMENT_REQUIRED', message: 'm' }, 402),
      json({ errorCode: 'IDEMPOTENCY_IN_PROGRESS', message: 'm' }, 409),
      json({ status: 'PENDING' }),
    ];
    for (const repeat of after) {
      const { lipsync } = liveProviders(scriptedNetwork(begun, repeat).fetch);
      const started = await lipsync.start(
        {
          case: 'lipsync',
          visual: { kind: 'url', url: 'https://files.example/clip.mp4' },
          audio: { kind: 'url', url: 'https://files.example/voice.mp3' },
          audioMs: 4_000,
        },
        { idempotencyKey: 'gen_1' },
      );
      expect(started).toMatchObject({ outcome: 'started', operation: { id: 'job_7' }, jobId: 'job_7' });
    }
  });

  test('a lipsync job whose name no row can hold was paid for; a day that no calendar has is no day', async () => {
    const named = json({ id: 'job\u0000_1', status: 'PENDING' });
    const asked = {
      case: 'lipsync',
      visual: { kind: 'url', url: 'https://files.example/clip.mp4' },
      audio: { kind: 'url', url: 'https://files.example/voice.mp3' },
      audioMs: 4_000,
    } as const;
    expect(await liveProviders(scriptedNetwork(named).fetch).lipsync.start(asked)).toMatchObject({
      outcome: 'failed',
      reason: 'bad-answer',
      paid: true,
    });
    const never = { character_count: 1, character_limit: 10, next_character_count_reset_unix: 1e18 };
    expect(await liveProviders(scriptedNetwork(json(never)).fetch).voice.quota()).toMatchObject({
      quota: { remaining: 9, resetsAt: null },
    });
  });

  test('a lipsync that has ended tells what its service recorded of its cost, all of it or nothing; its film is there in any case', async () => {
    const ended = () => json({ id: 'job_1', status: 'COMPLETED', outputUrl: 'https://files.example/a.mp4' });
    const costs = (facts: object) =>
      json({
        generationId: 'job_1',
        generationStatus: 'COMPLETED',
        currency: 'USD',
        availability: 'complete',
        totalCostUsd: '0.375',
        knownSubtotalUsd: '0.375',
        retryAfterSeconds: null,
        ...facts,
      });
    const read = async (answer: Parameters<typeof scriptedNetwork>[0]) => {
      const network = scriptedNetwork(ended(), answer);
      const done = await liveProviders(network.fetch).lipsync.status({ operation: { id: 'job_1' } });
      expect(done).toMatchObject({ outcome: 'completed', file: { url: 'https://files.example/a.mp4' } });
      expect(network.sent.slice(0, 2).map(({ method, url }) => [method, url])).toEqual([
        ['GET', 'https://api.sync.so/v2/generate/job_1'],
        ['GET', 'https://api.sync.so/v2/generate/job_1/costs'],
      ]);
      return 'costMicros' in done ? done.costMicros : undefined;
    };
    expect(await read(costs({}))).toBe(375_000n);
    expect(await read(costs({ totalCostUsd: '0' }))).toBe(0n);
    for (const unknown of [
      costs({ availability: 'pending', totalCostUsd: null }),
      costs({ availability: 'partial' }),
      costs({ currency: 'EUR' }),
      costs({ totalCostUsd: 'free' }),
      costs({ totalCostUsd: '-1' }),
      costs({ generationId: 'job_2' }),
      json({ message: 'Not found' }, 404),
      json({ message: 'down' }, 500),
    ])
      expect(await read(unknown)).toBeUndefined();
  });
});
