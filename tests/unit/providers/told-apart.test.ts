import { describe, expect, test } from 'vitest';
import { systemClock } from '#lib/core/clock.ts';
import { networkFailure } from '#lib/providers/network-failure.ts';
import { send } from '#lib/providers/transport.ts';
import { createProviders } from '#lib/providers/wiring/create-providers.ts';
import { json, liveProviders, PNG, SECRETS, scriptedNetwork, silence } from './calls.ts';

const answering = (body: unknown) => liveProviders(scriptedNetwork(json(body)).fetch);

describe('an answer about something else than what was asked', () => {
  test('a lipsync job under another name is no status of ours: no film of it is taken', async () => {
    const film = { id: 'job_2', status: 'COMPLETED', outputUrl: 'https://files.example/a.mp4' };
    const asked = (id: string) => answering(film).lipsync.status({ operation: { id } });
    expect(await asked('job_1')).toMatchObject({ outcome: 'failed', reason: 'bad-answer' });
    expect(await asked('job_2')).toMatchObject({ outcome: 'completed' });
  });

  test('a voice under another name says nothing of the origin of ours', async () => {
    const { voice } = answering({ voice_id: 'v2', category: 'premade' });
    expect(await voice.describeVoice('v1')).toMatchObject({ outcome: 'failed', reason: 'bad-answer' });
    expect(await voice.describeVoice('v2')).toMatchObject({ voice: { origin: 'provider' } });
  });
});

test('a voice that is there no more is told as not found, by whichever status and word', async () => {
  for (const status of ['voice_not_found', 'voice_does_not_exist'])
    for (const http of [400, 404]) {
      const gone = json({ detail: { status, message: 'm' } }, http);
      const { voice } = liveProviders(scriptedNetwork(gone).fetch);
      expect(await voice.describeVoice('v1')).toMatchObject({ outcome: 'failed', reason: 'not-found' });
    }
});

test('a render that GitHub takes without telling its run was dispatched', async () => {
  const taken = () => new Response(null, { status: 204 });
  const { render } = liveProviders(scriptedNetwork(taken).fetch);
  expect(await render.dispatch({ inputs: {} })).toEqual({ outcome: 'dispatched' });
});

test('a professional voice that its owner shares is somebody’s, whose consent is needed; to all others it is of the library', async () => {
  const originFor = async (is_owner: boolean | null) => {
    const sharing = { public_owner_id: 'a1b2c3' };
    const told = { voice_id: 'v1', category: 'professional', is_owner, sharing };
    return answering(told).voice.describeVoice('v1');
  };
  expect(await originFor(true)).toMatchObject({ voice: { origin: 'clone', consentNeeded: true } });
  for (const other of [false, null])
    expect(await originFor(other)).toMatchObject({ voice: { origin: 'library', consentNeeded: false } });
});

test('the secret of a video’s callbacks is kept where one was asked for, and nowhere else', async () => {
  const asyncJob = { jobId: 'job_1', webhookSigningSecret: 'whsec_1' };
  const { video } = answering({
    operation: { id: 'job_1' },
    providerMetadata: { gateway: { asyncJob } },
  });
  const asked = { case: 'veo', prompt: 'La mer', durationSeconds: 8 };
  const callbackUrl = 'https://atelier.example/api/webhooks/video/gen_1';
  expect(await video.start({ ...asked, callbackUrl })).toMatchObject({ webhookSecret: 'whsec_1' });
  expect(await video.start(asked)).not.toHaveProperty('webhookSecret');
});

test('an image that was given no picture left none out, whatever its maker says of pictures', async () => {
  const { image } = answering({
    images: [PNG.toString('base64')],
    warnings: [{ type: 'unsupported', feature: 'files' }],
  });
  const asked = { case: 'image-fast', prompt: 'Un vase', aspectRatio: '1:1' };
  expect(await image.generate(asked)).not.toHaveProperty('referencesLeftOut');
  const picture = { kind: 'bytes', bytes: new Uint8Array(PNG), mediaType: 'image/png' } as const;
  expect(await image.generate({ ...asked, references: [picture] })).toMatchObject({
    referencesLeftOut: true,
  });
});

test('a lipsync asks for a callback where one of its secrets is known, and says whether it did', async () => {
  const start = async (lipsyncWebhookSecrets: string[], of: string) => {
    const network = scriptedNetwork(json({ id: 'job_1', status: 'PENDING' }));
    const { lipsync } = liveProviders(network.fetch, { lipsyncWebhookSecrets });
    const started = await lipsync.start({
      case: of,
      audioMs: 4_000,
      callbackUrl: 'https://atelier.example/api/webhooks/video/gen_1',
      visual: { kind: 'url', url: 'https://files.example/visage.png' },
      audio: { kind: 'url', url: 'https://files.example/voix.mp3' },
    });
    return { started, body: network.sent[0]?.body };
  };
  const signed = await start(['whsec_1'], 'lipsync');
  expect(signed.started).toMatchObject({ webhook: true });
  expect(signed.body).toMatchObject({ webhookUrl: expect.stringContaining('/gen_1') });
  const unsigned = await start([], 'lipsync');
  expect(unsigned.started).toMatchObject({ webhook: false });
  expect(unsigned.body).not.toHaveProperty('webhookUrl');
  // A clip is played back and forth; a picture has no such way.
  expect(unsigned.body).toMatchObject({ options: { sync_mode: 'bounce' } });
  expect((await start([], 'lipsync-character')).body).not.toHaveProperty('options');
});

test('an address whose type is not known is told as a film where it is a clip, and as a picture elsewhere', async () => {
  const network = scriptedNetwork(json({}));
  const at = (name: string) => ({ kind: 'url', url: `https://files.example/${name}` }) as const;
  await liveProviders(network.fetch).video.start({
    case: 'seedance-2',
    prompt: 'La mer',
    aspectRatio: '16:9',
    resolution: '720p',
    references: [
      { role: 'character', file: at('visage') },
      { role: 'clip', file: at('plan'), durationMs: 4_000 },
    ],
  });
  expect(network.sent[0]?.body).toMatchObject({
    inputReferences: [{ mediaType: 'image/jpeg' }, { mediaType: 'video/mp4' }],
  });
});

test('of several addresses that were tried, one that may have been reached says that the request may have been sent', () => {
  const failed = (code: string) => Object.assign(new Error(code), { code, syscall: 'connect' });
  const tried = (...codes: string[]) =>
    new TypeError('fetch failed', { cause: new AggregateError(codes.map(failed)) });
  expect(networkFailure(tried('ECONNREFUSED', 'ENETUNREACH'))).toMatchObject({
    reason: 'unreachable',
    retrySafe: 'surely-not-sent',
  });
  expect(networkFailure(tried('ECONNREFUSED', 'ECONNRESET'))).toMatchObject({
    reason: 'connection-lost',
    retrySafe: 'unknown',
  });
});

test('a service that nobody is served by is asked nothing, whatever key there is', async () => {
  const network = scriptedNetwork(json({ images: [PNG.toString('base64')] }));
  const { image, voice } = createProviders({
    live: new Set(['elevenlabs'] as const),
    absent: new Set(['gateway'] as const),
    clock: systemClock,
    secrets: SECRETS,
    fetch: network.fetch,
  });
  const asked = { case: 'image-fast', prompt: 'Un vase', aspectRatio: '1:1' };
  expect(await image.generate(asked)).toMatchObject({ outcome: 'failed', reason: 'not-configured' });
  expect(network.sent).toEqual([]);
  await voice.quota();
  expect(network.sent).toHaveLength(1);
});

test('what was paid for and is of no use is told with its price', async () => {
  const providerMetadata = { gateway: { generationId: 'gen_1', cost: '0.03' } };
  const paid = { paid: true, gatewayGenerationId: 'gen_1', costMicros: 30_000n };
  const { image } = answering({ images: ['bm8gaW1hZ2U='], providerMetadata });
  expect(await image.generate({ case: 'image-fast', prompt: 'Un vase', aspectRatio: '1:1' })).toMatchObject({
    outcome: 'failed',
    reason: 'bad-answer',
    ...paid,
  });
  const { vector } = answering({ content: [], finishReason: 'content-filter', providerMetadata });
  expect(await vector.generate({ prompt: 'Une feuille' })).toMatchObject({
    outcome: 'failed',
    reason: 'content-refused',
    ...paid,
  });
});

describe('the time of a request', () => {
  const request = { method: 'POST', url: 'https://x.example/', headers: {}, repeatable: true } as const;

  test('is not passed by a pause: what is left of it must be longer, or nothing more is sent', async () => {
    const sentIn = async (budgetMs: number) => {
      const busy = () => new Response(null, { status: 503, headers: { 'retry-after': '2' } });
      const network = scriptedNetwork(busy, json({}));
      const wiring = { fetch: network.fetch, secrets: [], monotonicMs: () => 0, sleep: async () => {} };
      await send(wiring, request, budgetMs);
      return network.sent.length;
    };
    expect(await sentIn(2_000)).toBe(1);
    expect(await sentIn(2_001)).toBe(2);
  });

  test('is that of the repeat too, whatever longer time the answer before it had been given for its file', async () => {
    const bodyMs = 60_000;
    const network = scriptedNetwork(() => new Response('{"videos":[{"data":"'), silence);
    const wiring = { fetch: network.fetch, secrets: [], monotonicMs: () => 0, sleep: async () => {} };
    const begunMs = performance.now();
    const result = await send(wiring, { ...request, bodyMs }, 500);
    expect(result).toMatchObject({ outcome: 'failed', reason: 'timeout' });
    expect(performance.now() - begunMs).toBeLessThan(bodyMs);
  });

  test('is not lengthened by an answer that says no more than a failure', async () => {
    const bodyMs = 60_000;
    const endless = ({ signal }: RequestInit) =>
      new Response(
        new ReadableStream({
          start: (controller) =>
            signal?.addEventListener('abort', () => controller.error(signal.reason), { once: true }),
        }),
        { status: 500 },
      );
    const wiring = { fetch: scriptedNetwork(endless).fetch, secrets: [], sleep: async () => {} };
    const begunMs = performance.now();
    const result = await send(wiring, { ...request, bodyMs }, 300);
    expect(result).toMatchObject({ outcome: 'failed', reason: 'timeout' });
    expect(performance.now() - begunMs).toBeLessThan(bodyMs);
  });
});
