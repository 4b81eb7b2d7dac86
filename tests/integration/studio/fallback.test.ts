import { describe, expect, it } from 'vitest';
import { DEFAULT_BUDGETS } from '#lib/providers/budgets.ts';
import type { ImageProvider, ImageRequest, ImageResult, ProviderFailure } from '#lib/providers/ports.ts';
import { createProviders, recordedServices } from '#lib/providers/wiring/create-providers.ts';
import { previewGeneration } from '#lib/studio/preview/preview-generation.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { sweepGenerations } from '#lib/studio/sweep/sweep-generations.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { broken } from '#tests/factories/statements/broken-statements.ts';
import { IMAGE, recordedProviders, request, type StudioScene, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const BEST = { ...IMAGE, case: 'image-best' };
const UNAVAILABLE: ProviderFailure = {
  outcome: 'failed',
  reason: 'provider-error',
  retrySafe: 'surely-not-sent',
  status: 503,
  detail: 'HTTP 503',
  attempts: 1,
  elapsedMs: 40,
};

type Answer = ImageResult | ProviderFailure | 'as recorded' | 'never';

/** The scene's image models give these answers, one a call; the calls that were made. */
function answering(scene: StudioScene, ...answers: Answer[]) {
  const calls: ImageRequest[] = [];
  const timeouts: (number | undefined)[] = [];
  const { providers } = scene.ctx.studio;
  const generate: ImageProvider['generate'] = async (asked, options) => {
    calls.push(asked);
    timeouts.push(options?.timeoutMs);
    const answer = answers[calls.length - 1];
    if (answer === undefined) throw new Error('one paid call too many');
    if (answer === 'never') return new Promise(() => {});
    return answer === 'as recorded' ? providers.image.generate(asked, options) : answer;
  };
  return {
    calls,
    timeouts,
    studio: { ...scene.ctx.studio, providers: { ...providers, image: { generate } } },
  };
}

async function sweepAfter({ ctx, clock }: StudioScene, minutes: number) {
  clock.advance(minutes * 60_000);
  return sweepGenerations({ ...ctx, actor: { type: 'system', job: 'generations-sweep' } });
}

const onlyRow = ({ owner }: StudioScene) =>
  service.db.generation.findFirstOrThrow({ where: { memberId: owner.memberId } });

describe('an image whose model takes no request', () => {
  it('is made by its fallback, at the price of that one, and the row tells it', async () => {
    const scene = await studioScene(service);
    const ctx = scene.with({ providers: recordedProviders(scene.clock, 'model-unavailable') });
    const preview = await previewGeneration(ctx, { request: request(BEST) });
    expect(preview).toMatchObject({ modelId: 'bfl/flux-2-max', fallbackModelId: 'bfl/flux-2-flex' });
    const { row, outcome } = await submitGeneration(ctx, { request: request(BEST) });
    expect(outcome).toBe('delivered');
    expect(row).toMatchObject({
      modelId: 'bfl/flux-2-flex',
      heldMicros: 70_000n,
      costMicros: 50_000n,
      params: {
        case: 'image-best',
        fallback: { insteadOf: 'bfl/flux-2-max', reason: 'provider-error' },
        pricing: { imageMicros: '50000' },
      },
    });
    expect(await bookFaults(service)).toEqual([]);
  });

  it('holds the dearer of the two, and debits the first when it answers', async () => {
    const scene = await studioScene(service);
    const { ctx } = scene;
    const first = await submitGeneration(ctx, { request: request(IMAGE) });
    const { id } = await service.db.asset.findFirstOrThrow({ where: { generationId: first.row.id } });
    const { row } = await submitGeneration(ctx, {
      request: request({ ...BEST, references: [id, id, id] }),
    });
    expect(row).toMatchObject({ modelId: 'bfl/flux-2-max', heldMicros: 200_000n, costMicros: 160_000n });
    expect(row.params.fallback).toBeUndefined();
  });

  it('is refunded when the fallback does not make it either: two calls within the time of one, none paid', async () => {
    const scene = await studioScene(service);
    const { studio, calls, timeouts } = answering(scene, UNAVAILABLE, {
      ...UNAVAILABLE,
      detail: 'the second',
    });
    const { row } = await submitGeneration({ ...scene.ctx, studio }, { request: request(BEST) });
    expect(row).toMatchObject({ state: 'FAILED', code: 'provider-failure', costMicros: null });
    expect(row.errorMessage).toContain('the second');
    expect(calls.map(({ isFallback }) => isFallback ?? false)).toEqual([false, true]);
    expect(timeouts).toEqual([undefined, DEFAULT_BUDGETS.image - UNAVAILABLE.elapsedMs]);
    expect(await bookFaults(service)).toEqual([]);
  });

  it.each<[string, Partial<ProviderFailure>]>([
    ['may have begun it', { retrySafe: 'unknown', status: 500 }],
    ['names a generation', { gatewayGenerationId: 'gen_1' }],
    ['left no time for another', { elapsedMs: 100_000 }],
  ])('is asked of nobody else when the first %s', async (_, more) => {
    const scene = await studioScene(service);
    const { studio, calls } = answering(scene, { ...UNAVAILABLE, ...more });
    const { row } = await submitGeneration({ ...scene.ctx, studio }, { request: request(BEST) });
    expect(row).toMatchObject({ state: 'FAILED', modelId: 'bfl/flux-2-max' });
    // What was perhaps paid is asked of the gateway by that name.
    expect(row.gatewayGenerationId).toBe(more.gatewayGenerationId ?? null);
    expect(calls).toHaveLength(1);
  });

  it('is the first’s when that one answers after all: 503, then its image', async () => {
    const scene = await studioScene(service);
    const services = recordedServices(() => scene.clock.now());
    const asked: string[] = [];
    const providers = createProviders({
      live: new Set(),
      clock: scene.clock,
      secrets: {},
      sleep: async () => {},
      recordedFetch: (url, init, facts) => {
        asked.push(new Headers(init.headers).get('ai-model-id') ?? '');
        const busy = new Response('{}', { status: 503, headers: { 'retry-after': '1' } });
        return asked.length === 1 ? Promise.resolve(busy) : services(url, init, facts);
      },
    });
    const { row } = await submitGeneration(scene.with({ providers }), { request: request(BEST) });
    expect(asked).toEqual(['bfl/flux-2-max', 'bfl/flux-2-max']);
    expect(row).toMatchObject({ modelId: 'bfl/flux-2-max', costMicros: 70_000n });
    expect(row.params.fallback).toBeUndefined();
  });
});

describe('a process that dies', () => {
  it('between the two models leaves a row that is refunded, and nobody asks again', async () => {
    const scene = await studioScene(service);
    const { studio, calls } = answering(scene, UNAVAILABLE);
    const ctx = { ...broken(service, scene, ['studio.fallback', 'studio.close', 'ledger.close']), studio };
    await submitGeneration(ctx, { request: request(BEST) }).catch(() => undefined);
    expect(await onlyRow(scene)).toMatchObject({ state: 'STARTING', modelId: 'bfl/flux-2-max' });
    await sweepAfter({ ...scene, ctx: { ...scene.ctx, studio } }, 15);
    expect(await onlyRow(scene)).toMatchObject({ state: 'FAILED', code: 'internal-error', costMicros: null });
    expect(calls).toHaveLength(1);
    expect(await bookFaults(service)).toEqual([]);
  });

  it('while the second is asked leaves the row saying so, refunded, and nobody asks again', async () => {
    const scene = await studioScene(service);
    const { studio, calls } = answering(scene, UNAVAILABLE, 'never');
    const ctx = { ...scene.ctx, studio };
    void submitGeneration(ctx, { request: request(BEST) });
    await expect.poll(() => calls.length).toBe(2);
    await sweepAfter({ ...scene, ctx }, 15);
    const row = await onlyRow(scene);
    expect(row).toMatchObject({ state: 'FAILED', code: 'internal-error', modelId: 'bfl/flux-2-flex' });
    expect(row.params).toMatchObject({ fallback: { insteadOf: 'bfl/flux-2-max' } });
    expect(calls).toHaveLength(2);
    expect(await bookFaults(service)).toEqual([]);
  });

  it.each([
    ['the first', ['as recorded'], 160_000n],
    ['the fallback', [UNAVAILABLE, 'as recorded'], 200_000n],
  ] as const)('with the file of %s in the store: its model’s price is debited', async (_, answers, cost) => {
    const scene = await studioScene(service);
    const made = await submitGeneration(scene.ctx, { request: request(IMAGE) });
    const { id } = await service.db.asset.findFirstOrThrow({ where: { generationId: made.row.id } });
    const { studio } = answering(scene, ...answers);
    const ctx = { ...broken(service, scene, ['studio.close', 'studio.defer', 'ledger.close']), studio };
    const body = request({ ...BEST, references: [id, id, id] });
    await submitGeneration(ctx, { request: body }).catch(() => undefined);
    await sweepAfter(scene, 15);
    const row = await service.db.generation.findFirstOrThrow({
      where: { memberId: scene.owner.memberId, caseName: 'image-best' },
    });
    expect(row).toMatchObject({ state: 'COMPLETED', heldMicros: 200_000n, costMicros: cost });
    expect(await bookFaults(service)).toEqual([]);
  });
});
