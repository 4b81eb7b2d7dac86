import { describe, expect, test } from 'vitest';
import type { VideoReference, VideoStartRequest } from '#lib/providers/ports.ts';
import { image, json, liveProviders, ours, PNG, scriptedNetwork } from '../calls.ts';

const wirePng = { type: 'file', mediaType: 'image/png', data: PNG.toString('base64') };
const clip = {
  kind: 'url',
  url: 'https://files.example/clip.mp4?expires=1',
  mediaType: 'video/mp4',
} as const;

describe('each video case asks what its model reads', () => {
  const start = (request: Omit<VideoStartRequest, 'prompt'>) =>
    ours((p) => p.video.start({ prompt: 'La mer', ...request }));

  test('cinematic: Kling reads a mode, not a resolution, and another model with a start image', async () => {
    const plain = await start({
      case: 'cinematic',
      durationSeconds: 5,
      resolution: '1080p',
      aspectRatio: '1:1',
    });
    expect(plain.headers['ai-model-id']).toBe('klingai/kling-v3.0-t2v');
    expect(plain.body).toEqual({
      prompt: 'La mer',
      n: 1,
      aspectRatio: '1:1',
      duration: 5,
      providerOptions: { klingai: { mode: 'pro' }, gateway: { tags: ['case:cinematic'] } },
    });
    const started = await start({ case: 'cinematic', references: [{ role: 'start-image', file: image }] });
    expect(started.headers['ai-model-id']).toBe('klingai/kling-v3.0-i2v');
    expect(started.body).toMatchObject({ image: wirePng });
  });

  test('seedance: pixels of its tier, characters and clips as references', async () => {
    const sent = await start({
      case: 'seedance-2',
      durationSeconds: 6,
      resolution: '480p',
      aspectRatio: '9:16',
      references: [
        { role: 'character', file: image },
        { role: 'clip', file: clip, durationMs: 3_200 },
      ],
    });
    expect(sent.body).toMatchObject({
      resolution: '496x864',
      duration: 6,
      inputReferences: [wirePng, { type: 'url', url: clip.url, mediaType: 'video/mp4' }],
    });
  });

  test('veo: a portrait is asked in landscape pixels, the only ones its provider maps; the ratio decides', async () => {
    const sent = await start({ case: 'veo', durationSeconds: 4, resolution: '1080p', aspectRatio: '9:16' });
    expect(sent.body).toMatchObject({ resolution: '1920x1080', aspectRatio: '9:16' });
  });

  test('a reference that the provider would ignore and bill is refused before anything is sent', async () => {
    const network = scriptedNetwork(json({}));
    const providers = liveProviders(network.fetch);
    const wrong: [string, VideoReference][] = [
      ['motion', { role: 'clip', file: image, durationMs: 4_000 }],
      ['veo', { role: 'start-image', file: { kind: 'url', url: 'https://files.example/a.png' } }],
    ];
    for (const [name, reference] of wrong)
      expect(await providers.video.start({ case: name, prompt: 'x', references: [reference] })).toMatchObject(
        { outcome: 'failed', reason: 'invalid-request', retrySafe: 'surely-not-sent' },
      );
    expect(network.sent).toHaveLength(0);
  });

  test.each(['omni', 'replace'])(
    '%s: the clip decides, so no duration nor resolution is asked',
    async (name) => {
      const sent = await start({
        case: name,
        durationSeconds: 5,
        resolution: '720p',
        references: [{ role: 'clip', file: clip, durationMs: 4_000 }],
      });
      expect(sent.body).toEqual({
        prompt: 'La mer',
        n: 1,
        inputReferences: [{ type: 'url', url: clip.url, mediaType: 'video/mp4' }],
        providerOptions: { gateway: { tags: [`case:${name}`] } },
      });
    },
  );

  test('motion: the character is the image, the clip an address of Kling’s options', async () => {
    const sent = await start({
      case: 'motion',
      resolution: '720p',
      references: [
        { role: 'character', file: image },
        { role: 'clip', file: clip, durationMs: 4_000 },
      ],
    });
    expect(sent.body).toEqual({
      prompt: 'La mer',
      n: 1,
      image: wirePng,
      providerOptions: {
        klingai: { mode: 'std', videoUrl: clip.url, characterOrientation: 'video' },
        gateway: { tags: ['case:motion'] },
      },
    });
  });
});
