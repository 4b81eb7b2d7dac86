import { createGateway } from '@ai-sdk/gateway';
import { describe, expect, test } from 'vitest';
import { image, json, liveProviders, ours, PNG, SECRETS, type Sent, scriptedNetwork } from '../calls.ts';

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
