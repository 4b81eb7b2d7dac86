import { createGateway } from '@ai-sdk/gateway';
import { describe, expect, test, vi } from 'vitest';
import type { VideoReference, VideoStartRequest } from '#lib/providers/ports.ts';
import {
  json,
  liveProviders,
  networkError,
  PNG,
  SECRETS,
  type Sent,
  scriptedNetwork,
  silence,
} from './calls.ts';

const image = { kind: 'bytes', bytes: new Uint8Array(PNG), mediaType: 'image/png' } as const;
const wirePng = { type: 'file', mediaType: 'image/png', data: PNG.toString('base64') };
const clip = {
  kind: 'url',
  url: 'https://files.example/clip.mp4?expires=1',
  mediaType: 'video/mp4',
} as const;

/** The request that our adapter sends for one call. */
async function ours(call: (providers: ReturnType<typeof liveProviders>) => Promise<unknown>): Promise<Sent> {
  const network = scriptedNetwork(json({}));
  await call(liveProviders(network.fetch));
  return network.sent[0] as Sent;
}

/** The request that the official SDK sends for one call. */
async function theirs(call: (sdk: ReturnType<typeof createGateway>) => PromiseLike<unknown>): Promise<Sent> {
  const network = scriptedNetwork(json({ error: { message: 'stop here' } }, 400));
  const fetch = (input: RequestInfo | URL, init: RequestInit = {}) => network.fetch(String(input), init);
  await Promise.resolve(call(createGateway({ apiKey: SECRETS.gateway, fetch }))).catch(() => undefined);
  return network.sent[0] as Sent;
}

/** A request without the version and the deployment's names, which the SDK adds: nothing else may differ. */
function comparable({ url, method, headers, body }: Sent) {
  const kept = Object.entries(headers).filter(
    ([name]) => name !== 'user-agent' && !name.startsWith('ai-o11y') && name !== 'http-referer',
  );
  return { url, method, headers: Object.fromEntries(kept.sort()), body };
}

describe('requests to the AI Gateway are those of @ai-sdk/gateway', () => {
  test('an image with references', async () => {
    const our = await ours((p) =>
      p.image.generate({
        case: 'image-best',
        prompt: 'Un vase',
        aspectRatio: '4:5',
        seed: 7,
        references: [image],
      }),
    );
    const their = await theirs((sdk) =>
      sdk.imageModel('bfl/flux-2-max').doGenerate({
        prompt: 'Un vase',
        n: 1,
        size: undefined,
        aspectRatio: '4:5',
        seed: 7,
        files: [{ type: 'file', mediaType: 'image/png', data: new Uint8Array(PNG) }],
        mask: undefined,
        providerOptions: {
          blackForestLabs: { width: 912, height: 1_136 },
          gateway: { tags: ['case:image-best'] },
        },
      }),
    );
    expect(comparable(our)).toEqual(comparable(their));
  });

  test('an image without a background, of a reference', async () => {
    const our = await ours((p) =>
      p.image.generate({
        case: 'image-transparent',
        prompt: 'Un vase',
        aspectRatio: '3:2',
        references: [image],
      }),
    );
    const their = await theirs((sdk) =>
      sdk.imageModel('openai/gpt-image-2.5-flare').doGenerate({
        prompt: 'Un vase',
        n: 1,
        size: '1536x1024',
        aspectRatio: undefined,
        seed: undefined,
        files: [{ type: 'file', mediaType: 'image/png', data: new Uint8Array(PNG) }],
        mask: undefined,
        providerOptions: {
          openai: { background: 'transparent', quality: 'medium' },
          gateway: { tags: ['case:image-transparent'] },
        },
      }),
    );
    expect(comparable(our)).toEqual(comparable(their));
  });

  test('an image drawn again within a mask', async () => {
    const our = await ours((p) =>
      p.image.generate({
        case: 'image-edit',
        prompt: 'Un vase',
        aspectRatio: '8:8',
        references: [image],
        mask: image,
      }),
    );
    const file = { type: 'file', mediaType: 'image/png', data: new Uint8Array(PNG) } as const;
    const their = await theirs((sdk) =>
      sdk.imageModel('bfl/flux-pro-1.0-fill').doGenerate({
        prompt: 'Un vase',
        n: 1,
        size: undefined,
        aspectRatio: undefined,
        seed: undefined,
        files: [file],
        mask: file,
        providerOptions: { gateway: { tags: ['case:image-edit'] } },
      }),
    );
    expect(comparable(our)).toEqual(comparable(their));
  });

  test('an image made larger', async () => {
    const our = await ours((p) =>
      p.image.generate({
        case: 'image-upscale',
        prompt: '',
        aspectRatio: '1:1',
        references: [image],
        size: { width: 2_048, height: 2_048 },
      }),
    );
    const their = await theirs((sdk) =>
      sdk.imageModel('topaz/wonder-3.5').doGenerate({
        prompt: undefined,
        n: 1,
        size: '2048x2048',
        aspectRatio: undefined,
        seed: undefined,
        files: [{ type: 'file', mediaType: 'image/png', data: new Uint8Array(PNG) }],
        mask: undefined,
        providerOptions: {
          topaz: { outputFormat: 'jpeg' },
          gateway: { tags: ['case:image-upscale'] },
        },
      }),
    );
    expect(comparable(our)).toEqual(comparable(their));
  });

  test('a pictogram', async () => {
    const our = await ours((p) => p.vector.generate({ system: 'Tu dessines.', prompt: 'Une feuille' }));
    const their = await theirs((sdk) =>
      sdk.languageModel('anthropic/claude-sonnet-5').doGenerate({
        prompt: [
          { role: 'system', content: 'Tu dessines.' },
          { role: 'user', content: [{ type: 'text', text: 'Une feuille' }] },
        ],
        maxOutputTokens: 2_000,
        providerOptions: {
          anthropic: { thinking: { type: 'disabled' } },
          gateway: { tags: ['case:vector'] },
        },
      }),
    );
    expect(comparable(our)).toEqual(comparable(their));
  });

  test('a video start with both frames, a callback and a key', async () => {
    const our = await ours((p) =>
      p.video.start(
        {
          case: 'best-quality',
          prompt: 'La mer',
          durationSeconds: 8,
          aspectRatio: '16:9',
          resolution: '1080p',
          generateAudio: false,
          references: [
            { role: 'start-image', file: image },
            { role: 'end-image', file: image },
          ],
          callbackUrl: 'https://atelier.example/api/webhooks/video/gen_1',
        },
        { idempotencyKey: 'gen_1' },
      ),
    );
    const frame = { type: 'file', mediaType: 'image/png', data: new Uint8Array(PNG) } as const;
    const their = await theirs(
      (sdk) =>
        sdk.videoModel('google/veo-3.1-generate-001').doStart?.({
          prompt: 'La mer',
          n: 1,
          aspectRatio: '16:9',
          resolution: '1920x1080',
          duration: 8,
          fps: undefined,
          seed: undefined,
          image: frame,
          frameImages: [
            { image: frame, frameType: 'first_frame' },
            { image: frame, frameType: 'last_frame' },
          ],
          inputReferences: undefined,
          generateAudio: false,
          providerOptions: { gateway: { tags: ['case:best-quality'] } },
          webhookUrl: 'https://atelier.example/api/webhooks/video/gen_1',
          headers: { 'idempotency-key': 'gen_1' },
        } as never) as PromiseLike<unknown>,
    );
    expect(comparable(our)).toEqual(comparable(their));
    expect(our.headers['idempotency-key']).toBe('gen_1');
  });

  test('a video status', async () => {
    const operation = { id: 'job_1', token: 'opaque' };
    const our = await ours((p) => p.video.status({ operation, modelId: 'bytedance/seedance-2.0' }));
    const their = await theirs(
      (sdk) =>
        sdk.videoModel('bytedance/seedance-2.0').doStatus?.({ operation } as never) as PromiseLike<unknown>,
    );
    expect(comparable(our)).toEqual(comparable(their));
  });

  test('a cost', async () => {
    const our = await ours((p) => p.cost.cost('gen_01JX&id=2'));
    const their = await theirs((sdk) => sdk.getGenerationInfo({ id: 'gen_01JX&id=2' }));
    expect(comparable(our)).toEqual(comparable(their));
  });
});

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

describe('what the gateway is told beside the request', () => {
  const accountId = 'acc_01m81zrramxrxr9v4zwzrxc2jk';
  const told = async (options: { accountId?: string }, extra: Parameters<typeof liveProviders>[1] = {}) => {
    const network = scriptedNetwork(json({}));
    const providers = liveProviders(network.fetch, extra);
    await providers.image.generate({ case: 'image-fast', prompt: 'x', aspectRatio: '1:1' }, options);
    await providers.vector.generate({ prompt: 'x' }, options);
    await providers.video.start({ case: 'veo', prompt: 'x', durationSeconds: 4 }, options);
    return network.sent.map(({ body }) => (body as Told).providerOptions.gateway);
  };

  test('the account that spends, by its identifier, and the case; never an address nor a name', async () => {
    expect(await told({ accountId })).toEqual(
      ['image-fast', 'vector', 'veo'].map((name) => ({ user: accountId, tags: [`case:${name}`] })),
    );
    for (const other of ['agnes@exemple.fr', 'Maison Lumen', 'acc_x'])
      expect((await told({ accountId: other })).map((options) => Object.keys(options))).toEqual(
        Array(3).fill(['tags']),
      );
  });

  test('zero retention and a region, where they are configured', async () => {
    const gatewayRouting = { zeroDataRetention: true, inferenceRegion: 'eu' };
    expect(await told({}, { gatewayRouting })).toMatchObject(Array(3).fill(gatewayRouting));
    const without = await told({}, { gatewayRouting: { zeroDataRetention: false } });
    expect(without.map((options) => Object.keys(options))).toEqual(Array(3).fill(['tags']));
  });
});

type Told = { providerOptions: { gateway: Record<string, unknown> } };

describe('what the gateway says that a request cost', () => {
  const asked = (data: object) => {
    const network = scriptedNetwork(json({ data: { total_cost: 0.03, ...data } }));
    return liveProviders(network.fetch).cost.cost('gen_1');
  };

  test.each([
    ['what was debited', { gateway_cost: 0.031 }, { costMicros: 31_000n, ownKey: false }],
    ['the total, when no debit is told', {}, { costMicros: 30_000n, ownKey: false }],
    [
      'with a key of ours at the provider: its price there, and the gateway’s own',
      { is_byok: true, gateway_cost: 0.001, upstream_inference_cost: 0.04 },
      { costMicros: 41_000n, ownKey: true },
    ],
    [
      'nothing, with a key of ours whose price there is not told',
      { is_byok: true, gateway_cost: 0, total_cost: 0 },
      { costMicros: 0n, ownKey: true },
    ],
  ])('is %s', async (_, data, expected) => {
    expect(await asked(data)).toMatchObject({ outcome: 'success', ...expected });
  });

  test('of another generation is none of the one that was asked about', async () => {
    expect(await asked({ id: 'gen_1' })).toMatchObject({ outcome: 'success', costMicros: 30_000n });
    expect(await asked({ id: 'gen_2' })).toMatchObject({ outcome: 'failed', reason: 'bad-answer' });
  });
});

describe('what an answer of the gateway says of its price', () => {
  const own = { credentialType: 'byok', success: true };
  const failed = { credentialType: 'byok', success: false };
  const system = { credentialType: 'system', success: true };
  test.each<[string, object | undefined, boolean]>([
    ['says nothing of its way', undefined, true],
    ['was served by the gateway’s own key', { modelAttempts: [{ providerAttempts: [system] }] }, true],
    ['fell back on the gateway’s own key', { modelAttempts: [{ providerAttempts: [failed, system] }] }, true],
    ['has a way that cannot be read', { attempts: [7], modelAttempts: 'none' }, true],
    ['was served by a key of ours', { modelAttempts: [null, { providerAttempts: [own] }] }, false],
    ['was served by a key of ours, as older ones say it', { attempts: [failed, own] }, false],
  ])('is its price, where it %s: %j, %s', async (_, routing, isPrice) => {
    const gateway = { generationId: 'gen_1', cost: '0.0001', ...(routing ? { routing } : {}) };
    const answer = { images: [PNG.toString('base64')], providerMetadata: { gateway } };
    const { image: images } = liveProviders(scriptedNetwork(json(answer)).fetch);
    const made = await images.generate({ case: 'image-fast', prompt: 'Un vase', aspectRatio: '1:1' });
    expect(made).toMatchObject({ outcome: 'success', gatewayGenerationId: 'gen_1' });
    expect('costMicros' in made ? made.costMicros : null).toBe(isPrice ? 100n : null);
  });
});

describe('requests to the other services', () => {
  test('ElevenLabs: text to speech', async () => {
    expect(
      await ours((p) =>
        p.voice.synthesize({
          voiceId: 'a/../b',
          text: 'Bonjour',
          stability: 0.4,
          speed: 1.1,
        }),
      ),
    ).toEqual({
      method: 'POST',
      url: 'https://api.elevenlabs.io/v1/text-to-speech/a%2F..%2Fb/with-timestamps?output_format=mp3_44100_128',
      headers: {
        'xi-api-key': SECRETS.elevenlabs,
        accept: 'application/json',
        'content-type': 'application/json',
      },
      body: {
        text: 'Bonjour',
        model_id: 'eleven_multilingual_v2',
        voice_settings: { stability: 0.4, speed: 1.1 },
      },
    });
  });

  test('ElevenLabs: every page of the library is read, and a runaway one ends, which says that there is more', async () => {
    const voice = { voice_id: 'v1', name: 'Une', category: 'premade' };
    const pageAfter = (token: string) => json({ voices: [voice], has_more: true, next_page_token: token });
    const endless = scriptedNetwork(...Array.from({ length: 12 }, (_, page) => pageAfter(`n&${page + 1}`)));
    const list = await liveProviders(endless.fetch).voice.listVoices();
    expect(list).toMatchObject({ outcome: 'success', hasMore: true });
    expect(endless.sent).toHaveLength(10);
    expect(endless.sent[1]?.url).toBe(
      'https://api.elevenlabs.io/v2/voices?page_size=100&next_page_token=n%261',
    );
  });

  test('ElevenLabs: a page that is answered twice lists nobody twice, and one that follows itself is the last', async () => {
    const voices = ['v1', 'v2', 'v1'].map((id) => ({ voice_id: id, name: id, category: 'premade' }));
    const same = scriptedNetwork(json({ voices, has_more: true, next_page_token: 'n' }));
    const list = await liveProviders(same.fetch).voice.listVoices();
    expect(list).toMatchObject({ outcome: 'success', voices: [{ id: 'v1' }, { id: 'v2' }] });
    expect(list).not.toHaveProperty('hasMore');
    expect(same.sent).toHaveLength(2);
  });

  test('ElevenLabs: all pages of the library share the time of one list', async () => {
    vi.useFakeTimers();
    try {
      const page = json({ voices: [], has_more: true, next_page_token: 'n' });
      const slow = () => new Promise<Response>((answer) => setTimeout(() => answer(page()), 900));
      const network = scriptedNetwork(slow, silence);
      let told: unknown;
      const listed = liveProviders(network.fetch).voice.listVoices({ timeoutMs: 1_000 });
      void listed.then((list) => {
        told = list;
      });
      await vi.advanceTimersByTimeAsync(900);
      while (network.sent.length < 2) await vi.advanceTimersByTimeAsync(0);
      expect(told).toBeUndefined();
      await vi.advanceTimersByTimeAsync(100);
      expect(told).toMatchObject({ outcome: 'failed', reason: 'timeout' });
    } finally {
      vi.useRealTimers();
    }
  });

  test('ElevenLabs: a voice of another shape is left out and counted; a list of nothing else is unreadable', async () => {
    const voice = { voice_id: 'v1', name: 'Une', category: 'premade' };
    const odd = [{ voice_id: 'v2', name: 7 }, null];
    const listed = (voices: unknown[]) =>
      liveProviders(scriptedNetwork(json({ voices, has_more: false })).fetch).voice.listVoices();
    expect(await listed([odd[0], voice, odd[1]])).toMatchObject({
      outcome: 'success',
      voices: [{ id: 'v1', name: 'Une' }],
      unreadable: 2,
    });
    expect(await listed(odd)).toMatchObject({ outcome: 'failed', reason: 'bad-answer' });
    expect(await listed([])).toEqual({ outcome: 'success', voices: [] });
    const unnamed = scriptedNetwork(json({ voices: [voice], has_more: true }));
    expect(await liveProviders(unnamed.fetch).voice.listVoices()).toMatchObject({ hasMore: true });
  });

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

  test('GitHub: a dispatch that asks for the run’s details', async () => {
    expect(await ours((p) => p.render.dispatch({ inputs: { generation: 'gen_1' } }))).toEqual({
      method: 'POST',
      url: 'https://api.github.com/repos/atelier/renders/actions/workflows/atelier-render.yml/dispatches',
      headers: {
        authorization: `Bearer ${SECRETS.github}`,
        accept: 'application/vnd.github+json',
        'x-github-api-version': '2022-11-28',
        'user-agent': 'atelier',
        'content-type': 'application/json',
      },
      body: { ref: 'main', inputs: { generation: 'gen_1' }, return_run_details: true },
    });
  });
});

describe('what a 2xx answer is worth', () => {
  test.each([
    [0, 600],
    [500, 1_100],
    [null, 600],
  ])('the characters left of a voice account count its extension of %j credits', async (extension, left) => {
    const subscription = {
      character_count: 400,
      character_limit: 1_000,
      max_credit_limit_extension: extension,
    };
    const { voice } = liveProviders(scriptedNetwork(json(subscription)).fetch);
    expect(await voice.quota()).toMatchObject({ quota: { used: 400, remaining: left } });
  });

  test('a voice account without a cap goes on beyond its limit, and is told so', async () => {
    const told = { character_count: 1_200, character_limit: 1_000, max_credit_limit_extension: 'unlimited' };
    const quota = async (answer: object) => {
      const { voice } = liveProviders(scriptedNetwork(json(answer)).fetch);
      const result = await voice.quota();
      return 'quota' in result ? result.quota : result;
    };
    const capped = { used: 1_200, limit: 1_000, remaining: 0, resetsAt: null };
    expect(await quota(told)).toEqual({ ...capped, isUncapped: true });
    for (const other of [0, null, 'many', undefined])
      expect(await quota({ ...told, max_credit_limit_extension: other })).toEqual(capped);
  });

  const say = (headers: Record<string, string>) => {
    const audio = () => Response.json({ audio_base64: 'c29u' }, { headers });
    return liveProviders(scriptedNetwork(audio).fetch).voice.synthesize({ voiceId: 'v1', text: 'Bonjour' });
  };

  test.each([
    [{ 'character-cost': '42' }, 42],
    [{ 'character-cost': '0' }, 0],
    [{}, undefined],
    [{ 'character-cost': '' }, undefined],
    [{ 'character-cost': '4.5' }, undefined],
    [{ 'character-cost': '-3' }, undefined],
    [{ 'character-cost': '0x10' }, undefined],
    [{ 'character-cost': 'douze' }, undefined],
  ])('ElevenLabs: with %j, the characters that it counted are %s', async (headers, counted) => {
    const result = await say(headers as Record<string, string>);
    expect(result.outcome).toBe('success');
    expect('billedCharacters' in result ? result.billedCharacters : undefined).toBe(counted);
  });

  test('one image was asked: what else stands in the answer is neither kept, priced nor a reason to lose it', async () => {
    for (const others of [[PNG.toString('base64'), PNG.toString('base64')], ['no image'], [7, null]]) {
      const { image: images } = liveProviders(
        scriptedNetwork(json({ images: [PNG.toString('base64'), ...others] })).fetch,
      );
      const asked = { case: 'image-fast', prompt: 'Un vase', aspectRatio: '1:1' };
      expect(await images.generate(asked)).toMatchObject({
        outcome: 'success',
        images: [{ mediaType: 'image/png' }],
      });
    }
  });

  test('words and names that no database can hold are not kept, nor is a file lost for the hint of its type', async () => {
    const gateway = { generationId: 'gen\u0000', asyncJob: { jobId: 'job_1', webhookSigningSecret: null } };
    const warning = { type: 'other', details: `a\u0000b\ud83d${'c'.repeat(2_000)}` };
    const start = {
      operation: { id: 'job_1' },
      warnings: [warning, ...Array(200).fill({ type: 'other' })],
      providerMetadata: { gateway },
    };
    const { video } = liveProviders(scriptedNetwork(json(start)).fetch);
    const started = await video.start({ case: 'veo', prompt: 'La mer', durationSeconds: 8 });
    expect(started).toMatchObject({ outcome: 'started', jobId: 'job_1' });
    expect(started).not.toHaveProperty('gatewayGenerationId');
    const warnings = 'warnings' in started ? started.warnings : [];
    expect(warnings).toHaveLength(50);
    expect(warnings[0]?.details).toBe(`ab\ufffd${'c'.repeat(496)}`);
    const file = { type: 'url', url: 'https://files.example/a.mp4', mediaType: null };
    const done = liveProviders(scriptedNetwork(json({ status: 'completed', videos: [file] })).fetch);
    const status = { operation: { id: 'job_1' }, modelId: 'google/veo-3.1-generate-001' };
    expect(await done.video.status(status)).toMatchObject({
      outcome: 'completed',
      file: { kind: 'url', url: file.url },
    });
  });

  test.each([
    ['Content Moderated', 'content-refused'],
    ['InputImageSensitiveContentDetected', 'content-refused'],
    ['The output video may contain sensitive information.', 'content-refused'],
    ['Failure to pass the risk control system', 'content-refused'],
    ['The prompt violates the usage guidelines.', 'content-refused'],
    ['Internal error while rendering frames', 'provider-error'],
  ])('a video that ended by « %s » is told as %s', async (error, reason) => {
    const { video } = liveProviders(scriptedNetwork(json({ status: 'error', error })).fetch);
    const status = { operation: { id: 'job_1' }, modelId: 'google/veo-3.1-generate-001' };
    expect(await video.status(status)).toEqual({ outcome: 'job-failed', reason, detail: error });
  });

  test.each([
    ['error', 'The generated video was moderated.', 'content-refused'],
    ['error', 'Internal error', 'provider-error'],
    ['cancelled', undefined, 'cancelled'],
  ])(
    'a video that ended as « %s » (%s) was paid for where its answer tells a price, and only there',
    async (word, error, reason) => {
      const ended = async (gateway: object) => {
        const answer = { status: word, error, providerMetadata: { gateway } };
        const { video } = liveProviders(scriptedNetwork(json(answer)).fetch);
        return video.status({ operation: { id: 'job_1' }, modelId: 'google/veo-3.1-generate-001' });
      };
      const named = { generationId: 'gen_1' };
      expect(await ended({ ...named, cost: '0.4' })).toMatchObject({
        ...{ outcome: 'job-failed', reason, paid: true },
        ...{ costMicros: 400_000n, gatewayGenerationId: 'gen_1' },
      });
      for (const free of [named, { ...named, cost: '0' }, { ...named, cost: 'unknown' }]) {
        const told = await ended(free);
        expect(told).toMatchObject({ outcome: 'job-failed', reason, gatewayGenerationId: 'gen_1' });
        expect(Object.keys(told)).not.toEqual(expect.arrayContaining(['paid']));
        expect(told).not.toHaveProperty('costMicros');
      }
    },
  );

  test('a job whose status is a word that we do not know goes on, and the word is told', async () => {
    const { video } = liveProviders(scriptedNetwork(json({ status: 'post-processing', warnings: [] })).fetch);
    const status = { operation: { id: 'job_1' }, modelId: 'google/veo-3.1-generate-001' };
    expect(await video.status(status)).toEqual({
      outcome: 'pending',
      warnings: [],
      unknownStatus: 'post-processing',
    });
    const said = liveProviders(scriptedNetwork(json({ id: 'job_1', status: 'QUEUED' })).fetch);
    expect(await said.lipsync.status({ operation: { id: 'job_1' } })).toEqual({
      outcome: 'pending',
      warnings: [],
      unknownStatus: 'QUEUED',
    });
    const begun = await said.lipsync.start({
      case: 'lipsync',
      visual: { kind: 'url', url: 'https://files.example/clip.mp4' },
      audio: { kind: 'url', url: 'https://files.example/voice.mp3' },
      audioMs: 4_000,
    });
    expect(begun).toMatchObject({ outcome: 'started', jobId: 'job_1' });
    for (const answer of [{ status: '' }, { status: 7 }, { status: 'completed' }])
      expect(await liveProviders(scriptedNetwork(json(answer)).fetch).video.status(status)).toMatchObject({
        outcome: 'failed',
        reason: 'bad-answer',
      });
  });

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

  test('of several videos the first is the one that was asked, whatever stands beside it', async () => {
    const file = { type: 'url', url: 'https://files.example/a.mp4' };
    const status = { operation: { id: 'job_1' }, modelId: 'google/veo-3.1-generate-001' };
    for (const beside of [{ type: 'thumbnail' }, null, 'b']) {
      const answer = json({ status: 'completed', videos: [file, beside] });
      expect(await liveProviders(scriptedNetwork(answer).fetch).video.status(status)).toMatchObject({
        outcome: 'completed',
        file: { kind: 'url', url: file.url },
      });
    }
  });

  test('a reading’s times, which come in seconds, are told in milliseconds', async () => {
    const { voice } = liveProviders(
      scriptedNetwork(
        json({
          audio_base64: 'AAAA',
          alignment: {
            characters: ['O', 'h'],
            character_start_times_seconds: [0, 0.25],
            character_end_times_seconds: [0.25, 1.5],
          },
        }),
      ).fetch,
    );
    expect(await voice.synthesize({ voiceId: 'v1', text: 'Oh' })).toMatchObject({
      alignment: { characters: ['O', 'h'], startsMs: [0, 250], endsMs: [250, 1_500] },
    });
  });

  test('what is told of another run is no status of the one that was asked about', async () => {
    const run = { id: 42, status: 'completed', conclusion: 'cancelled', html_url: null };
    const { render } = liveProviders(scriptedNetwork(json(run)).fetch);
    expect(await render.status('42')).toMatchObject({ outcome: 'run-failed', conclusion: 'cancelled' });
    expect(await render.status('43')).toMatchObject({ outcome: 'failed', reason: 'bad-answer' });
  });

  test('a video is told with what it used and what was dropped, whether it comes in the answer or at an address', async () => {
    const files = [
      { type: 'base64', data: 'AAAA', mediaType: 'video/mp4' },
      { type: 'url', url: 'data:video/mp4;base64,AAAA', mediaType: 'video/mp4' },
      { type: 'url', url: 'https://files.example/a.mp4', mediaType: 'video/mp4' },
    ];
    for (const file of files) {
      const answer = json({
        status: 'completed',
        videos: [file],
        warnings: [{ type: 'unsupported', feature: 'resolution' }],
        providerMetadata: {
          gateway: { generationId: 'gen_1' },
          bytedance: { usage: { completion_tokens: 7 } },
        },
      });
      const { video } = liveProviders(scriptedNetwork(answer).fetch);
      const status = { operation: { id: 'job_1' }, modelId: 'bytedance/seedance-2.0' };
      expect(await video.status(status)).toMatchObject({
        outcome: 'completed',
        gatewayGenerationId: 'gen_1',
        usage: { outputTokens: 7 },
        dropped: ['resolution'],
      });
    }
  });

  test('a run whose page is not told is a run all the same', async () => {
    const network = scriptedNetwork(json({ workflow_run_id: 17_952_553, html_url: null }));
    expect(await liveProviders(network.fetch).render.dispatch({ inputs: {} })).toEqual({
      outcome: 'dispatched',
      runId: '17952553',
    });
  });

  test('tokens that are less than none are no count: the drawing is kept and priced by its length', async () => {
    const answer = {
      content: [
        { type: 'reasoning', text: null },
        { type: 'text', text: '<svg></svg>' },
      ],
      finishReason: 'stop',
      usage: { inputTokens: -4, outputTokens: 12 },
    };
    const { vector } = liveProviders(scriptedNetwork(json(answer)).fetch);
    const drawn = await vector.generate({ prompt: 'Une feuille' });
    expect(drawn).toMatchObject({ outcome: 'success', svg: '<svg></svg>' });
    expect('usage' in drawn && drawn.usage).toEqual({});
  });

  test('a lipsync that has ended tells what its service recorded of its cost, all of it or nothing; its film is there in any case', async () => {
    const ended = () => json({ id: 'job_1', status: 'COMPLETED', outputUrl: 'https://files.example/a.mp4' });
    const costs = (facts: object) =>
      json({
        ...{
          generationId: 'job_1',
          generationStatus: 'COMPLETED',
          currency: 'USD',
          availability: 'complete',
        },
        ...{ totalCostUsd: '0.375', knownSubtotalUsd: '0.375', retryAfterSeconds: null, ...facts },
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

  test('a job called completed without a file was paid for, at the cost that the answer tells', async () => {
    const metadata = { gateway: { generationId: 'gen_1', cost: '0.4' } };
    const video = json({ status: 'completed', videos: [], warnings: [], providerMetadata: metadata });
    const lips = json({ id: 'job_1', status: 'COMPLETED' });
    const status = { operation: { id: 'job_1' }, modelId: 'google/veo-3.1-generate-001' };
    expect(await liveProviders(scriptedNetwork(video).fetch).video.status(status)).toEqual({
      outcome: 'job-failed',
      reason: 'no-file',
      detail: 'completed without a file',
      paid: true,
      gatewayGenerationId: 'gen_1',
      costMicros: 400_000n,
    });
    expect(await liveProviders(scriptedNetwork(lips).fetch).lipsync.status(status)).toMatchObject({
      reason: 'no-file',
      paid: true,
    });
  });
});
