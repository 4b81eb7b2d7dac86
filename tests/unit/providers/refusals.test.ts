import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { manualClock } from '#lib/core/clock.ts';
import { RECORDED_DEFAULT_VOICE_ID } from '#lib/providers/elevenlabs/recorded-answers.ts';
import { sizeOf } from '#lib/providers/gateway/image.ts';
import { MODELS, VIDEO_CASES, type VideoCase } from '#lib/providers/models/catalogue.ts';
import type { ModelEntry } from '#lib/providers/models/entry.ts';
import type { FileInput, VideoReference, VideoRole, VideoStartRequest } from '#lib/providers/ports.ts';
import { createProviders, recordedServices } from '#lib/providers/wiring/create-providers.ts';
import { REFUSALS, refusalsTable } from '#lib/providers/wiring/refusals.ts';
import { type VideoSettings, videoSettings } from '#lib/studio/kinds/video-settings.ts';
import { generationRequest, type RequestOf } from '#lib/studio/request.ts';
import { NOON, PNG } from './calls.ts';

type Sent = { url: string; init: RequestInit };
const clock = manualClock(NOON);
const image: FileInput = { kind: 'bytes', bytes: new Uint8Array(PNG), mediaType: 'image/png' };
const clip: FileInput = { kind: 'url', url: 'https://files.example/clip.mp4', mediaType: 'video/mp4' };
const FIELDS = {
  'start-image': 'startImage',
  'end-image': 'endImage',
  character: 'characters',
  clip: 'clips',
} as const;

/** Recorded services, and what was sent to them. */
function recorded() {
  const sent: Sent[] = [];
  const services = recordedServices(() => clock.now());
  const providers = createProviders({
    live: new Set(),
    clock,
    secrets: {},
    sleep: async () => {},
    recordedFetch: (url, init, facts) => {
      sent.push({ url, init });
      return services(url, init, facts);
    },
  });
  return { sent, services, providers };
}

/** The widest that a member may ask of a case, each way of mixing its references: checked by the rules of the composer. */
function widest(name: VideoCase): VideoStartRequest[] {
  const model: ModelEntry = MODELS[name];
  const rules = model.references ?? {};
  const frames: VideoRole[] = ['start-image', 'end-image'];
  const others: VideoRole[] = ['character', 'clip'];
  return [[], frames, others].flatMap((roles) => {
    const references: VideoReference[] = roles.flatMap((role) =>
      Array.from({ length: rules[role]?.max ?? 0 }, () => ({
        role,
        file: role === 'clip' ? clip : image,
        ...(role === 'clip' ? { durationMs: 4_000 } : {}),
      })),
    );
    const missing = Object.entries(rules).some(
      ([role, { min }]) => references.filter((one) => one.role === role).length < min,
    );
    if (missing) return [];
    const asked: Record<string, unknown> = { kind: 'video', case: name, brief: 'La mer' };
    for (const { role } of references)
      asked[FIELDS[role]] =
        role === 'character' || role === 'clip' ? [...((asked[FIELDS[role]] as string[]) ?? []), 'x'] : 'x';
    const { limits } = model;
    const free: Partial<VideoSettings> = {
      durationSeconds: limits.durationsSeconds?.at(-1),
      aspectRatio: limits.aspectRatios?.at(-1),
      resolution: limits.resolutions?.at(-1),
    };
    const settings = settle(asked, free, model);
    const { durationSeconds, aspectRatio, resolution, generateAudio } = settings;
    return {
      case: name,
      prompt: 'La mer',
      generateAudio,
      references,
      ...(durationSeconds === undefined ? {} : { durationSeconds }),
      ...(aspectRatio === undefined ? {} : { aspectRatio }),
      ...(resolution === undefined ? {} : { resolution }),
    };
  });
}

/** Every setting at its end; those that the composer refuses beside these references are left out. */
function settle(
  asked: Record<string, unknown>,
  free: Partial<VideoSettings>,
  model: ModelEntry,
): VideoSettings {
  const kept = { ...free };
  for (;;) {
    try {
      const body = JSON.parse(JSON.stringify({ ...asked, ...kept }));
      return videoSettings(generationRequest.parse(body) as RequestOf<'video'>, model);
    } catch (error) {
      const field = (error as { options?: { detail?: string } }).options?.detail as keyof VideoSettings;
      if (!(field in kept)) throw error;
      delete kept[field];
    }
  }
}

describe('the recorded services know the rules of the real ones', () => {
  test.each(VIDEO_CASES)('%s: the widest legal requests are taken', async (name) => {
    const { providers, sent } = recorded();
    const requests = widest(name);
    expect(requests.length).toBeGreaterThan(0);
    for (const request of requests)
      expect(await providers.video.start(request, { idempotencyKey: 'gen_1' })).toMatchObject({
        outcome: 'started',
      });
    expect(sent).toHaveLength(requests.length);
  });

  test.each(REFUSALS)('$id: what the service refuses is refused ($source)', async (rule) => {
    const { services } = recorded();
    const { body, model = '', at, headers = {} } = BROKEN[rule.id] as Broken;
    const kind = rule.route === 'language-model' ? 'ai-language-model-id' : 'ai-model-id';
    const url = rule.route.startsWith('v1/')
      ? `https://api.elevenlabs.io/${rule.route}/${RECORDED_DEFAULT_VOICE_ID}`
      : rule.route.startsWith('v2/')
        ? `https://api.sync.so/${rule.route}`
        : `https://ai-gateway.vercel.sh/v4/ai/${rule.route}`;
    const keys = { authorization: 'Bearer x', 'xi-api-key': 'x', 'x-api-key': 'x' };
    const ask = (json: unknown, on = services) =>
      on(url, {
        method: 'POST',
        headers: { ...keys, ...(model ? { [kind]: model } : {}), ...headers },
        body: JSON.stringify(json),
      });
    const answer = await ask(body, at ? recordedServices(() => new Date(at)) : services);
    expect([answer.status, await answer.text()]).toEqual([rule.status, expect.stringContaining(rule.says)]);
  });

  test('the longest text with every setting of a voice is taken; each lipsync too, under a key', async () => {
    const { providers, sent } = recorded();
    const voice = { voiceId: RECORDED_DEFAULT_VOICE_ID, stability: 1, similarityBoost: 1, speed: 1.2 };
    const text = 'a'.repeat(MODELS.voice.limits.textCharacters ?? 0);
    expect(text).toHaveLength(5_000);
    expect(await providers.voice.synthesize({ ...voice, text })).toMatchObject({ outcome: 'success' });
    for (const [name, visual] of [
      ['lipsync', clip],
      ['lipsync-character', { kind: 'url', url: 'https://files.example/a.png' }],
    ] as const) {
      const audio = { kind: 'url', url: 'https://files.example/a.mp3' } as const;
      const asked = { case: name, visual: visual as { kind: 'url'; url: string }, audio, audioMs: 60_000 };
      const options = { idempotencyKey: 'gen_01m81zrramxrxr9v4zwzrxc2jk' };
      expect(await providers.lipsync.start(asked, options)).toMatchObject({ outcome: 'started' });
    }
    expect(sent).toHaveLength(3);
  });

  test('every rule is broken by a test, and every line of the table has its source', () => {
    expect(Object.keys(BROKEN).sort()).toEqual(REFUSALS.map(({ id }) => id).sort());
    for (const { source } of REFUSALS) expect(source).toMatch(/^\[[ST]\] \S/);
  });

  test('docs/providers.md shows the very table that is enforced', async () => {
    expect(await readFile('docs/providers.md', 'utf8')).toContain(refusalsTable());
  });

  test('a refused start is told as refused, not as begun', async () => {
    const { providers } = recorded();
    const request = { case: 'veo', prompt: 'x', durationSeconds: 5, aspectRatio: '16:9' };
    expect(await providers.video.start(request)).toMatchObject({
      outcome: 'failed',
      reason: 'invalid-request',
      retrySafe: 'refused',
    });
  });

  test('a lost start of a lipsync is repeated under its key as one job; a key that is none is refused', async () => {
    const { providers, services, sent } = recorded();
    const request = {
      case: 'lipsync',
      visual: { kind: 'url', url: 'https://files.example/a.mp4' },
      audio: { kind: 'url', url: 'https://files.example/a.mp3' },
      audioMs: 4_000,
    } as const;
    const first = await providers.lipsync.start(request, { idempotencyKey: 'gen_1' });
    expect(first).toEqual(await providers.lipsync.start(request, { idempotencyKey: 'gen_1' }));
    expect(first).not.toEqual(await providers.lipsync.start(request, { idempotencyKey: 'gen_2' }));
    const [one] = sent as [Sent, ...Sent[]];
    const headers = { ...(one.init.headers as Record<string, string>), 'idempotency-key': 'a key' };
    expect((await services(one.url, { ...one.init, headers })).status).toBe(400);
  });
});

const RATIOS: readonly string[] = MODELS['image-fast'].limits.aspectRatios ?? [];

describe('an image is asked by its pixels', () => {
  test.each(RATIOS)('%s: one megapixel at most, within a hundredth', (ratio) => {
    const { width, height } = sizeOf(ratio);
    const [w = 1, h = 1] = ratio.split(':').map(Number);
    expect([width % 16, height % 16]).toEqual([0, 0]);
    expect(width * height).toBeLessThanOrEqual(1_048_576);
    expect(width * height).toBeGreaterThan(0.95 * 1_048_576);
    expect(Math.abs(width / height / (w / h) - 1)).toBeLessThanOrEqual(0.01);
  });
});

type Broken = {
  model?: string;
  body: Record<string, unknown>;
  at?: string;
  headers?: Record<string, string>;
};
const bytes = { type: 'file', mediaType: 'image/png', data: 'AA==' };
const address = { type: 'url', url: 'https://files.example/a.png' };
const wireClip = { type: 'url', url: 'https://files.example/a.mp4', mediaType: 'video/mp4' };
const prompt = 'La mer';
const inputs = [
  { type: 'video', url: 'https://files.example/a.mp4' },
  { type: 'audio', url: 'https://files.example/a.mp3' },
];

/** A request that breaks each rule, and no other. */
const BROKEN: Record<string, Broken> = {
  'image-route-models': { model: 'google/veo-3.1-generate-001', body: { prompt } },
  'language-route-models': { model: 'bfl/flux-2-pro', body: { prompt: [] } },
  'video-route-models': { model: 'bfl/flux-2-pro', body: { prompt, duration: 5 } },
  'image-body-size': { model: 'bfl/flux-2-pro', body: { prompt: 'a'.repeat(4_500_000) } },
  'language-body-size': { model: 'anthropic/claude-sonnet-5', body: { prompt: 'a'.repeat(4_500_000) } },
  'video-body-size': { model: 'google/veo-3.1-generate-001', body: { prompt: 'a'.repeat(4_500_000) } },
  'voice-text-length': { body: { text: 'a'.repeat(10_001), model_id: 'eleven_multilingual_v2' } },
  'voice-model-type': { body: { text: 'Bonjour', model_id: 'eleven_multilingual_sts_v2' } },
  'lipsync-key': { body: { model: 'lipsync-2', input: inputs }, headers: { 'idempotency-key': 'a key' } },
  'lipsync-model': { body: { model: 'lipsync-9', input: inputs } },
  'lipsync-inputs': { body: { model: 'lipsync-2', input: [inputs[0]] } },
  'lipsync-input-place': { body: { model: 'lipsync-2', input: [inputs[0], { type: 'audio' }] } },
  'lipsync-sync-mode': { body: { model: 'lipsync-2', input: inputs, options: { sync_mode: 'stretch' } } },
  'seedance-ratio-with-frames': {
    model: 'bytedance/seedance-2.5',
    body: { prompt, image: bytes, aspectRatio: '16:9', duration: 5 },
  },
  'seedance-clip-edit-shape': {
    model: 'bytedance/seedance-2.5',
    body: { prompt, inputReferences: [wireClip], duration: 5 },
  },
  'seedance-frames-mixed': {
    model: 'bytedance/seedance-2.0',
    body: { prompt, image: bytes, inputReferences: [bytes], duration: 5 },
  },
  'seedance-duration': { model: 'bytedance/seedance-2.0', body: { prompt, duration: 3 } },
  'veo-references-last-8-seconds': {
    model: 'google/veo-3.1-generate-001',
    body: { prompt, inputReferences: [bytes], duration: 4 },
  },
  'veo-images-in-bytes': {
    model: 'google/veo-3.1-fast-generate-001',
    body: { prompt, image: address, duration: 4 },
  },
  'veo-three-references': {
    model: 'google/veo-3.1-generate-001',
    body: { prompt, inputReferences: [bytes, bytes, bytes, bytes], duration: 8 },
  },
  'veo-duration': { model: 'google/veo-3.1-generate-001', body: { prompt, duration: 5 } },
  'veo-ratio': { model: 'google/veo-3.1-generate-001', body: { prompt, duration: 4, aspectRatio: '1:1' } },
  'kling-duration': { model: 'klingai/kling-v3.0-t2v', body: { prompt, duration: 2 } },
  'kling-mode': {
    model: 'klingai/kling-v3.0-t2v',
    body: { prompt, duration: 5, providerOptions: { klingai: { mode: '1080p' } } },
  },
  'motion-needs-both': { model: 'klingai/kling-v3.0-motion-control', body: { prompt, image: bytes } },
  'flux-size': {
    model: 'bfl/flux-2-pro',
    body: { prompt, providerOptions: { blackForestLabs: { width: 1_000, height: 1_000 } } },
  },
  'flux-references': { model: 'bfl/flux-2-max', body: { prompt, files: Array(9).fill(bytes) } },
  'sonnet-retired': {
    model: 'anthropic/claude-sonnet-4.5',
    body: { prompt: [] },
    at: '2026-12-01T00:00:00Z',
  },
  'sonnet-thinks': {
    model: 'anthropic/claude-sonnet-5.5',
    body: { prompt: [], providerOptions: { anthropic: { thinking: { type: 'disabled' } } } },
  },
};
