import { describe, expect, test } from 'vitest';
import { json, liveProviders, PNG, scriptedNetwork } from '../calls.ts';

describe('what a 2xx answer is worth', () => {
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
        outcome: 'job-failed',
        reason,
        paid: true,
        costMicros: 400_000n,
        gatewayGenerationId: 'gen_1',
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
