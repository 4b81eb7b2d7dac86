import { describe, expect, test } from 'vitest';
import { send } from '#lib/providers/transport.ts';
import { json, liveProviders, PNG, scriptedNetwork, silence } from './calls.ts';

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
});
