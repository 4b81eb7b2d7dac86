import { fileTypeFromBuffer } from 'file-type';
import { ALL_FORMATS, BufferSource, Input } from 'mediabunny';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { manualClock } from '#lib/core/clock.ts';
import { microsFromUsd } from '#lib/core/money.ts';
import { RECORDED_DEFAULT_VOICE_ID } from '#lib/providers/elevenlabs/recorded-answers.ts';
import type { Scenario } from '#lib/providers/fixtures/scenarios.ts';
import { recordedWebhookSecret } from '#lib/providers/gateway/recorded-video-answers.ts';
import { parseGatewayWebhook, signGatewayBody } from '#lib/providers/gateway/signature.ts';
import { MODELS, VIDEO_CASES } from '#lib/providers/models/catalogue.ts';
import { formulaCostMicros } from '#lib/providers/models/pricing.ts';
import type { Providers, VideoReference, VideoStarted, VideoStartRequest } from '#lib/providers/ports.ts';
import { NOON, RENDER_INPUTS, recordedProviders } from '../../unit/providers/calls.ts';
import { image } from '../../unit/providers/refusal-matrix.ts';

const file = { kind: 'url', url: 'https://files.example/clip.mp4' } as const;

async function measure(bytes: Uint8Array) {
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) });
  const tracks = await input.getTracks();
  return { seconds: await input.computeDuration(), kinds: tracks.map((track) => track.type).sort() };
}

/** A request that a case accepts, by its own line of the table. */
function requestFor(name: (typeof VIDEO_CASES)[number]): VideoStartRequest {
  const entry = MODELS[name];
  const references: VideoReference[] = [];
  if (entry.references?.character?.min) references.push({ role: 'character', file: image });
  if (entry.references?.clip?.min) references.push({ role: 'clip', file, durationMs: 4_300 });
  const [aspectRatio] = entry.limits.aspectRatios ?? [];
  const [resolution] = entry.limits.resolutions ?? [];
  const [durationSeconds] = entry.limits.durationsSeconds ?? [];
  return {
    case: name,
    prompt: 'La mer',
    references,
    ...(aspectRatio ? { aspectRatio } : {}),
    ...(resolution ? { resolution } : {}),
    ...(durationSeconds ? { durationSeconds } : {}),
  };
}

async function started(
  providers: Providers,
  request: VideoStartRequest = requestFor('veo'),
): Promise<VideoStarted> {
  const result = await providers.video.start(request, { idempotencyKey: 'gen_1' });
  if (result.outcome !== 'started') throw new Error(result.detail);
  return result;
}

describe('recorded images', () => {
  test.each(['1:1', '16:9', '9:16', '4:5', '21:9'])(
    'are real, in the ratio asked: %s',
    async (aspectRatio) => {
      const request = { case: 'image-best', prompt: `Un vase ${aspectRatio}`, aspectRatio };
      const result = await recordedProviders().image.generate(request);
      if (result.outcome !== 'success') throw new Error(result.detail);
      const [made] = result.images;
      const { width = 0, height = 0 } = await sharp(made?.bytes).metadata();
      const [w = 0, h = 0] = aspectRatio.split(':').map(Number);
      expect(width / height).toBeCloseTo(w / h, 1);
      expect((await fileTypeFromBuffer(made?.bytes as Uint8Array))?.mime).toBe(made?.mediaType);
      const again = await recordedProviders().image.generate(request);
      expect(
        again.outcome === 'success' &&
          Buffer.compare(again.images[0]?.bytes as Buffer, made?.bytes as Buffer),
      ).toBe(0);
    },
  );
});

describe('recorded videos', () => {
  test.each(VIDEO_CASES)('%s: a real mp4 of the right length, settled at the table’s price', async (name) => {
    const clock = manualClock(NOON);
    const request = requestFor(name);
    const job = await started(recordedProviders({}, clock), request);
    expect(job.dropped).toEqual([]);
    const other = recordedProviders({}, clock);
    expect(await other.video.status(job)).toMatchObject({ outcome: 'pending' });
    clock.advance(10_000);
    // Another instance, that never saw the start, finishes the job from its operation alone.
    const done = await other.video.status(JSON.parse(JSON.stringify(job)));
    if (done.outcome !== 'completed' || done.file.kind !== 'bytes') throw new Error(done.outcome);
    const expectedMs = request.durationSeconds ? request.durationSeconds * 1_000 : 4_300;
    const { seconds, kinds } = await measure(done.file.bytes);
    expect(Math.abs(seconds * 1_000 - expectedMs)).toBeLessThan(30);
    expect(kinds).toEqual(MODELS[name].limits.audio === 'never' ? ['video'] : ['audio', 'video']);
    const formula = formulaCostMicros(name, {
      outputMs: expectedMs,
      sourceMs: 4_300,
      ...(request.resolution ? { resolution: request.resolution } : {}),
    });
    expect(done.costMicros).toBe(formula);
    if (MODELS[name].pricing.basis === 'seedance')
      expect(formulaCostMicros(name, { outputTokens: done.usage?.outputTokens ?? 0 })).toBe(formula);
    const cost = await other.cost.cost(done.gatewayGenerationId ?? '');
    expect(cost).toMatchObject({ outcome: 'success', costMicros: formula });
  });

  test('one idempotency key is one job', async () => {
    const one = await started(recordedProviders());
    expect((await started(recordedProviders())).jobId).toBe(one.jobId);
  });

  test('a secret comes only with a callback, and signs what the webhook accepts', async () => {
    expect((await started(recordedProviders())).webhookSecret).toBeUndefined();
    const callbackUrl = 'https://atelier.example/api/webhooks/video/gen_1';
    const job = await started(recordedProviders(), { ...requestFor('veo'), callbackUrl });
    const jobId = job.jobId ?? '';
    expect(job.webhookSecret).toBe(recordedWebhookSecret(jobId));
    const rawBody = JSON.stringify({ data: { jobId, status: 'completed' } });
    const now = new Date(NOON);
    const secret = job.webhookSecret ?? '';
    const signature = signGatewayBody(rawBody, secret, now);
    expect(parseGatewayWebhook({ rawBody, signature, secret, jobId }, now).outcome).toBe('event');
  });

  const finish = async (scenario: Scenario, afterMs = 10_000) => {
    const clock = manualClock(NOON);
    const job = await started(recordedProviders({ scenario }, clock));
    clock.advance(afterMs);
    // The scenario travels with the operation: the reader needs not know it.
    return { job, done: await recordedProviders({}, clock).video.status(job) };
  };

  test('a dropped setting and a dropped end frame are named at the start', async () => {
    expect((await finish('setting-dropped')).job).toMatchObject({
      dropped: ['resolution'],
      endFrameDropped: false,
    });
    expect((await finish('end-frame-dropped')).job).toMatchObject({ dropped: [], endFrameDropped: true });
  });

  test.each<[Scenario, object]>([
    ['video-failed', { outcome: 'job-failed', reason: 'provider-error' }],
    ['video-cancelled', { outcome: 'job-failed', reason: 'cancelled' }],
    ['video-nonsense', { outcome: 'pending', unknownStatus: 'levitating' }],
    ['video-slow', { outcome: 'pending' }],
    [
      'private-url',
      { outcome: 'completed', file: { kind: 'url', url: 'https://169.254.169.254/latest/result.mp4' } },
    ],
  ])('%s', async (scenario, expected) => {
    expect((await finish(scenario)).done).toMatchObject(expected);
  });

  test('a slow one ends, a lost one never does', async () => {
    expect((await finish('video-slow', 300_000)).done.outcome).toBe('completed');
    expect((await finish('video-never', 7_200_000)).done.outcome).toBe('pending');
  });

  test('a garbage file says mp4 and holds no video', async () => {
    const { done } = await finish('garbage-file');
    if (done.outcome !== 'completed' || done.file.kind !== 'bytes') throw new Error(done.outcome);
    expect((await fileTypeFromBuffer(done.file.bytes))?.mime).toBe('video/mp4');
    expect((await measure(done.file.bytes).catch(() => ({ seconds: 0 }))).seconds).toBe(0);
  });

  test('a recorded address opens, and no other does', async () => {
    const { done } = await finish('url-file');
    if (done.outcome !== 'completed' || done.file.kind !== 'url') throw new Error(done.outcome);
    const response = await recordedProviders().openRecorded(done.file.url);
    expect((await measure(new Uint8Array((await response?.arrayBuffer()) ?? []))).seconds).toBeCloseTo(4, 1);
    expect(await recordedProviders().openRecorded('https://files.example/x.mp4')).toBeUndefined();
    expect(await recordedProviders().openRecorded('not an address')).toBeUndefined();
  });
});

describe('recorded costs', () => {
  const generate = async (scenario: Scenario) => {
    const providers = recordedProviders({ scenario });
    const result = await providers.image.generate({ case: 'image-best', prompt: 'x', aspectRatio: '1:1' });
    if (result.outcome !== 'success') throw new Error(result.detail);
    return { result, cost: await providers.cost.cost(result.gatewayGenerationId ?? '') };
  };

  test('are the formula, half as much again, or not said', async () => {
    expect((await generate('success')).result.costMicros).toBe(microsFromUsd('0.07'));
    expect((await generate('cost-divergence')).result.costMicros).toBe(microsFromUsd('0.105'));
    const silent = await generate('no-cost');
    expect(silent.result.costMicros).toBeUndefined();
    expect(silent.cost).toMatchObject({ outcome: 'failed', reason: 'not-found' });
  });

  test('of a pictogram agree with its usage', async () => {
    const result = await recordedProviders().vector.generate({ prompt: 'Une feuille' });
    if (result.outcome !== 'success') throw new Error(result.detail);
    expect(result.costMicros).toBe(formulaCostMicros('vector', result.usage));
  });
});

describe('recorded pictograms', () => {
  const draw = async (scenario: Scenario) => {
    const result = await recordedProviders({ scenario }).vector.generate({ prompt: 'Une feuille' });
    if (result.outcome !== 'success') throw new Error(result.detail);
    return result;
  };
  test('are whole, unsafe, cut at 2,000 tokens, or absent', async () => {
    const whole = await draw('success');
    expect(whole).toMatchObject({ truncated: false });
    expect((await sharp(Buffer.from(whole.svg)).metadata()).format).toBe('svg');
    expect((await draw('unsafe-svg')).svg).toContain('<script>');
    expect(await draw('truncated-svg')).toMatchObject({ truncated: true, usage: { outputTokens: 2_000 } });
    expect(await draw('garbage-file')).toMatchObject({ svg: '', text: 'Je ne sais pas dessiner cela.' });
  });
});

describe('recorded voices', () => {
  test.each([1, 12, 200, 900])('are real mp3s, as long as %i words take', async (words) => {
    const text = 'bonjour '.repeat(words).trim();
    const result = await recordedProviders().voice.synthesize({ voiceId: RECORDED_DEFAULT_VOICE_ID, text });
    if (result.outcome !== 'success') throw new Error(result.detail);
    expect(result).toMatchObject({ mediaType: 'audio/mpeg', billedCharacters: text.length });
    expect(result.alignment?.characters.join('')).toBe(text);
    expect((await fileTypeFromBuffer(result.bytes))?.mime).toBe('audio/mpeg');
    expect((await measure(result.bytes)).seconds).toBeCloseTo(Math.max(1, text.length / 15), 0);
  });

  test('have every origin, and a person nobody checked needs a consent', async () => {
    const list = await recordedProviders().voice.listVoices();
    if (list.outcome !== 'success') throw new Error(list.detail);
    const origins = Object.fromEntries(
      list.voices.map(({ origin, consentNeeded }) => [origin, consentNeeded]),
    );
    expect(origins).toEqual({
      provider: false,
      synthetic: false,
      library: false,
      'verified-clone': false,
      clone: true,
      unknown: true,
    });
  });

  test('fail as the real ones do', async () => {
    const say = (scenario: Scenario, voiceId = RECORDED_DEFAULT_VOICE_ID) =>
      recordedProviders({ scenario }).voice.synthesize({ voiceId, text: 'Bonjour' });
    expect(await say('quota-exhausted')).toMatchObject({ reason: 'quota-exhausted', retrySafe: 'refused' });
    expect(await say('success', 'nobody')).toMatchObject({ reason: 'not-found' });
    const spent = await recordedProviders({ scenario: 'quota-exhausted' }).voice.quota();
    expect(spent).toMatchObject({ outcome: 'success', quota: { remaining: 0 } });
    const restricted = recordedProviders({ scenario: 'missing-permission' });
    expect(await restricted.voice.quota()).toMatchObject({ reason: 'missing-permission' });
    expect((await restricted.voice.listVoices()).outcome).toBe('success');
    const late = recordedProviders({ scenario: 'origin-timeout' });
    expect(await late.voice.describeVoice(RECORDED_DEFAULT_VOICE_ID, { timeoutMs: 20 })).toMatchObject({
      reason: 'timeout',
    });
  });
});

describe('recorded lipsync and renders', () => {
  test('a lipsync lasts as long as the voice, whichever instance reads it', async () => {
    const clock = manualClock(NOON);
    const start = await recordedProviders({}, clock).lipsync.start({
      case: 'lipsync-character',
      visual: { kind: 'url', url: 'https://files.example/face.png' },
      audio: { kind: 'url', url: 'https://files.example/voice.mp3' },
      audioMs: 7_321,
    });
    if (start.outcome !== 'started') throw new Error(start.detail);
    clock.advance(10_000);
    const other = recordedProviders({}, clock);
    const done = await other.lipsync.status(start);
    if (done.outcome !== 'completed' || done.file.kind !== 'url') throw new Error(done.outcome);
    expect(done.usage).toEqual({ outputMs: 7_321 });
    const bytes = new Uint8Array((await (await other.openRecorded(done.file.url))?.arrayBuffer()) ?? []);
    expect((await measure(bytes)).seconds).toBeCloseTo(7.321, 1);
  });

  test.each<[Scenario, object]>([
    ['success', { outcome: 'succeeded' }],
    ['run-failed', { outcome: 'run-failed', conclusion: 'failure', blackout: false }],
    ['blackout', { outcome: 'run-failed', conclusion: 'failure', blackout: true }],
  ])('a render run: %s', async (scenario, expected) => {
    const clock = manualClock(NOON);
    const run = await recordedProviders({ scenario }, clock).render.dispatch({ inputs: RENDER_INPUTS });
    if (run.outcome !== 'dispatched') throw new Error(run.detail);
    const reader = recordedProviders({}, clock);
    expect((await reader.render.status(run.runId ?? '')).outcome).toBe('running');
    clock.advance(10_000);
    expect(await reader.render.status(run.runId ?? '')).toMatchObject(expected);
  });
});

describe.each<[Scenario, object]>([
  ['provider-error', { reason: 'provider-error', status: 500 }],
  ['refused-not-sent', { reason: 'unreachable', retrySafe: 'surely-not-sent' }],
  ['content-refused', { retrySafe: 'refused' }],
  ['quota-exhausted', { retrySafe: 'refused' }],
  ['bad-answer', { reason: 'bad-answer' }],
])('%s reaches every paid start', (scenario, expected) => {
  test('as a failure of its kind', async () => {
    const p = recordedProviders({ scenario });
    const url = { kind: 'url', url: 'https://files.example/a' } as const;
    const results = await Promise.all([
      p.image.generate({ case: 'image-fast', prompt: 'x', aspectRatio: '1:1' }),
      p.vector.generate({ prompt: 'x' }),
      p.voice.synthesize({ voiceId: RECORDED_DEFAULT_VOICE_ID, text: 'x' }),
      p.video.start(requestFor('veo')),
      p.lipsync.start({ case: 'lipsync', visual: url, audio: url, audioMs: 1_000 }),
      p.render.dispatch({ inputs: RENDER_INPUTS }),
    ]);
    for (const result of results) expect(result).toMatchObject({ outcome: 'failed', ...expected });
  });
});
