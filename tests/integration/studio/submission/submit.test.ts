import { describe, expect, it } from 'vitest';
import { microsFromUsd, usdFromMicros } from '#lib/core/money.ts';
import { formulaCostMicros } from '#lib/providers/models/pricing.ts';
import type { ImageProvider, ImageResult, VoiceResult } from '#lib/providers/ports.ts';
import { badAnswer } from '#lib/providers/transport.ts';
import { previewGeneration } from '#lib/studio/preview/preview-generation.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import {
  IMAGE,
  recordedProviders,
  request,
  studioScene,
  withVoicesTogether,
} from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 20 });
const VOICE = { kind: 'voice', text: 'Bonjour à tous.', voiceId: 'Camille0Recorded0001' };
const lines = (generationId: string) =>
  service.db.ledgerLine.findMany({ where: { generationId }, orderBy: { position: 'asc' } });
const audits = (subjectId: string) =>
  service.db.auditEntry.findMany({ where: { subjectId }, orderBy: { id: 'asc' } });

describe('a synchronous generation', () => {
  it('holds, calls once, keeps a decodable file, settles the measured cost, and tells it all on one row', async () => {
    const { ctx, store } = await studioScene(service);
    const { row, outcome } = await submitGeneration(ctx, { request: request(IMAGE) });
    expect(outcome).toBe('delivered');
    expect(row).toMatchObject({ state: 'COMPLETED', closedBy: 'request', code: null, chargePending: false });
    expect(row.params).toMatchObject({
      prompt: IMAGE.brief,
      brief: IMAGE.brief,
      case: 'image-fast',
      costSource: 'gateway',
    });
    const [file] = row.artifacts;
    expect(file?.pathname).toMatch(new RegExp(`^generations/${row.id}/image-1\\.(png|jpg|webp)$`));
    expect(file?.width).toBeGreaterThan(0);
    expect(store.files.has(file?.pathname ?? '')).toBe(true);
    const ledger = await lines(row.id);
    expect(ledger.map((line) => line.kind)).toEqual(['RESERVE', 'SETTLE']);
    expect(-(ledger[1]?.amountMicros ?? 0n)).toBe(row.costMicros);
    expect((await audits(row.id)).map((entry) => entry.action)).toEqual(['generation.completed']);
    expect(await service.db.asset.count({ where: { generationId: row.id, state: 'GENERATED' } })).toBe(1);
    expect(await bookFaults(service)).toEqual([]);
  });

  it('adds at most 8 database round trips around the provider call', async () => {
    const { ctx } = await studioScene(service);
    await submitGeneration(ctx, { request: request(IMAGE), idempotencyKey: 'warm' });
    const before = service.connection.roundTrips();
    await submitGeneration(ctx, { request: request(IMAGE), idempotencyKey: 'counted' });
    const trips = service.connection.roundTrips() - before;
    expect(trips).toBeLessThanOrEqual(8);
    expect(trips).toBe(6);
  });

  it('answers a repeated key with the row that it made, and refuses the key for another request', async () => {
    const { ctx } = await studioScene(service);
    const first = await submitGeneration(ctx, { request: request(IMAGE), idempotencyKey: 'k1' });
    const again = await submitGeneration(ctx, { request: request({ ...IMAGE }), idempotencyKey: 'k1' });
    expect(again).toMatchObject({ outcome: 'replayed', row: { id: first.row.id } });
    await expect(
      submitGeneration(ctx, { request: request({ ...IMAGE, brief: 'Autre' }), idempotencyKey: 'k1' }),
    ).rejects.toMatchObject({ code: 'idempotency_conflict' });
  });

  it('makes one row of twenty simultaneous requests under one key', async () => {
    const { ctx, owner } = await studioScene(service);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        submitGeneration(ctx, { request: request(IMAGE), idempotencyKey: 'same' }),
      ),
    );
    expect(new Set(answers.map(({ row }) => row.id)).size).toBe(1);
    expect(await service.db.generation.count({ where: { memberId: owner.memberId } })).toBe(1);
    expect(await bookFaults(service)).toEqual([]);
  });

  it('sent twice at once under one key, with credit for one alone, is one generation and refuses nobody', async () => {
    const asked = request(VOICE);
    const { heldUsd } = await previewGeneration((await studioScene(service)).ctx, { request: asked });
    const scene = await studioScene(service, { creditMicros: microsFromUsd(heldUsd) });
    // Both have looked for the key's row, and found none, before either is written.
    const ctx = withVoicesTogether(scene, 2);
    const answers = await Promise.all(
      [1, 2].map(() => submitGeneration(ctx, { request: asked, idempotencyKey: 'twice' })),
    );
    expect(answers.map(({ outcome }) => outcome).sort()).toEqual(['delivered', 'replayed']);
    expect(new Set(answers.map(({ row }) => row.id)).size).toBe(1);
    expect(await service.db.generation.count({ where: { memberId: scene.owner.memberId } })).toBe(1);
    expect(await bookFaults(service)).toEqual([]);
  });

  it('is answered though the mail server that is to take its spend alert never answers', async () => {
    const scene = await studioScene(service, { config: { spendAlertMicros: 1_000n } });
    const ctx = scene.with({ mailSpendAlert: () => new Promise(() => undefined) });
    const { outcome } = await submitGeneration(ctx, { request: request(IMAGE) });
    expect(outcome).toBe('delivered');
    // Claimed and not told: the sweep does it once the claim ends.
    // Of a machine that was held the answer comes first, and the claim after it.
    const where = { accountId: scene.owner.accountId };
    const state = async () => {
      const { claimedUntil, mailedAt } = await service.db.spendAlert.findFirstOrThrow({ where });
      return [claimedUntil !== null, mailedAt];
    };
    await expect.poll(state).toEqual([true, null]);
  });

  it('neither overdraws nor deadlocks under 50 simultaneous requests on one wallet', async () => {
    const { ctx, owner } = await studioScene(service, { creditMicros: 150_000n });
    const answers = await Promise.allSettled(
      Array.from({ length: 50 }, () => submitGeneration(ctx, { request: request(IMAGE) })),
    );
    const refused = answers.filter((answer) => answer.status === 'rejected');
    expect(refused.every((answer) => answer.reason.code === 'balance')).toBe(true);
    const states = await service.db.generation.groupBy({
      by: ['state'],
      where: { memberId: owner.memberId },
      _count: true,
    });
    const count = (state: string) => states.find((group) => group.state === state)?._count ?? 0;
    expect(count('COMPLETED') + count('CANCELLED')).toBe(50);
    expect(count('CANCELLED')).toBe(refused.length);
    // An image costs what it holds: those that fit are made, and not one more.
    const { costMicros } = await service.db.generation.findFirstOrThrow({
      where: { memberId: owner.memberId, state: 'COMPLETED' },
    });
    const priceMicros = costMicros ?? 0n;
    expect(count('COMPLETED')).toBe(Number(150_000n / priceMicros));
    const wallet = await service.db.wallet.findUniqueOrThrow({ where: { memberId: owner.memberId } });
    expect(wallet).toMatchObject({ heldMicros: 0n, balanceMicros: 150_000n % priceMicros });
    expect(await bookFaults(service)).toEqual([]);
  });
});

describe('a refusal of the ledger', () => {
  it('leaves a cancelled row without reserve or call, and names it', async () => {
    const scene = await studioScene(service, { creditMicros: 10n });
    const { providers } = scene.ctx.studio;
    let calls = 0;
    const generate: ImageProvider['generate'] = (...given) => {
      calls += 1;
      return providers.image.generate(...given);
    };
    const ctx = scene.with({ providers: { ...providers, image: { generate } } });
    const error = await submitGeneration(ctx, { request: request(IMAGE), idempotencyKey: 'k' }).catch(
      (e) => e,
    );
    expect(error).toMatchObject({ code: 'balance', status: 402 });
    expect(calls).toBe(0);
    const row = await service.db.generation.findUniqueOrThrow({ where: { id: error.options.subject } });
    expect(row).toMatchObject({
      state: 'CANCELLED',
      statusKey: 'cancelled',
      heldMicros: 0n,
      code: 'balance',
    });
    expect(row.message).toContain('rien n’a été débité');
    expect(await lines(row.id)).toEqual([]);
    await expect(
      submitGeneration(ctx, { request: request(IMAGE), idempotencyKey: 'k' }),
    ).rejects.toMatchObject({
      code: 'balance',
    });
  });
});

describe('what goes wrong at the provider', () => {
  it.each([
    ['provider-error', 'provider-failure', /n’a pas livré/, IMAGE],
    ['content-refused', 'provider-failure', /règles de contenu/, IMAGE],
    ['quota-exhausted', 'provider-failure', /quota/, IMAGE],
    ['quota-exhausted', 'provider-failure', /quota/, VOICE],
    ['garbage-file', 'provider-failure', /n’a pas livré/, IMAGE],
  ] as const)('« %s » fails as %s, refunded in the request', async (scenario, code, sentence, body) => {
    const { ctx } = await studioScene(service, { scenario });
    const { row, outcome } = await submitGeneration(ctx, { request: request(body) });
    expect(outcome).toBe('failed');
    expect(row).toMatchObject({ state: 'FAILED', code, costMicros: null, artifacts: [] });
    expect(row.message).toMatch(sentence);
    expect((await lines(row.id)).map((line) => line.kind)).toEqual(['RESERVE', 'REFUND']);
  });

  it('a provider that does not answer in time is refunded with the sentence that says so', async () => {
    // Each by its own budget: the others are of a minute or more.
    for (const [budgets, body] of [
      [{ image: 30 }, IMAGE],
      [{ vector: 30 }, { kind: 'vector', brief: 'Une feuille' }],
      [{ voice: 30 }, VOICE],
    ] as const) {
      const { ctx } = await studioScene(service, { scenario: 'timeout', budgets });
      const { row } = await submitGeneration(ctx, { request: request(body) });
      expect(row, body.kind).toMatchObject({ state: 'FAILED', code: 'provider-failure' });
      expect(row.message).toContain('n’a pas répondu à temps');
      expect((await lines(row.id)).map((line) => line.kind)).toEqual(['RESERVE', 'REFUND']);
    }
  });

  it('a voice whose origin is not told in time is refused before any row: nothing is held', async () => {
    const { ctx, owner } = await studioScene(service, {
      scenario: 'origin-timeout',
      budgets: { voiceOrigin: 30 },
    });
    await expect(submitGeneration(ctx, { request: request(VOICE) })).rejects.toMatchObject({
      code: 'voice-unverified',
      options: { detail: 'timeout', subject: VOICE.voiceId },
    });
    const { memberId } = owner;
    expect(await service.db.generation.count({ where: { memberId } })).toBe(0);
    expect(await service.db.ledgerLine.count({ where: { memberId, kind: 'RESERVE' } })).toBe(0);
  });

  it('a gateway cost 50 % above the formula is debited as the gateway says, and audited', async () => {
    const { ctx } = await studioScene(service, { scenario: 'cost-divergence' });
    const { row } = await submitGeneration(ctx, { request: request(IMAGE) });
    const formula = formulaCostMicros('image-fast', { images: 1 });
    expect(row.costMicros).toBe((formula * 3n) / 2n);
    const entry = (await audits(row.id)).find(({ action }) => action === 'generation.cost_divergence');
    expect(entry?.data).toMatchObject({
      gatewayCostUsd: usdFromMicros((formula * 3n) / 2n),
      formulaCostUsd: usdFromMicros(formula),
      gatewayGenerationId: expect.stringMatching(/^gen_/),
    });
  });

  it('a gateway that tells no cost is settled by the formula', async () => {
    const { ctx } = await studioScene(service, { scenario: 'no-cost' });
    const { row } = await submitGeneration(ctx, { request: request(IMAGE) });
    expect(row).toMatchObject({
      costMicros: formulaCostMicros('image-fast', { images: 1 }),
      params: { costSource: 'formula' },
    });
  });

  it.each([
    ['unsafe-svg', { reason: 'svg-unsafe' }],
    ['truncated-svg', { reason: 'svg-unsafe', truncated: true }],
  ] as const)('a pictogram that is « %s » is not billed, and the loss is audited', async (scenario, data) => {
    const { ctx, store } = await studioScene(service, { scenario });
    const { row } = await submitGeneration(ctx, {
      request: request({ kind: 'vector', brief: 'Une feuille' }),
    });
    expect(row).toMatchObject({ state: 'FAILED', costMicros: null });
    expect((await lines(row.id)).map((line) => line.kind)).toEqual(['RESERVE', 'REFUND']);
    const entry = (await audits(row.id)).find(({ action }) => action === 'generation.paid_not_delivered');
    expect(entry?.data).toEqual({ ...data, costUsd: expect.any(Number) });
    expect([...store.files.keys()].filter((name) => name.includes(row.id))).toEqual([]);
  });

  it('a store that refuses the file costs the member nothing', async () => {
    const { ctx, store } = await studioScene(service);
    const broken = {
      ...ctx,
      studio: { ...ctx.studio, store: { ...store, put: () => Promise.reject(new Error('store')) } },
    };
    const { row } = await submitGeneration(broken, { request: request(IMAGE) });
    expect(row).toMatchObject({ state: 'FAILED', code: 'internal-error', costMicros: null });
    expect((await lines(row.id)).map((line) => line.kind)).toEqual(['RESERVE', 'REFUND']);
    expect((await audits(row.id)).map(({ action }) => action)).toEqual([
      'generation.failed',
      'generation.paid_not_delivered',
    ]);
  });
});

describe('a provider that was paid and whose work the member does not get', () => {
  const paidFor = async (id: string) =>
    (await audits(id)).filter(({ action }) => action === 'generation.paid_not_delivered');
  const charge = { gatewayGenerationId: 'gen_lost', costMicros: 31_000n };

  it.each([
    ['an image', IMAGE],
    ['a pictogram', { kind: 'vector', brief: 'Une feuille' }],
    ['a voice', VOICE],
    ['the start of a video', { kind: 'video', case: 'veo', brief: 'Une flamme', durationSeconds: 4 }],
  ])('%s whose 2xx answer is refused: refunded, and the loss is audited once', async (_, body) => {
    const { ctx } = await studioScene(service, { scenario: 'bad-answer' });
    const { row } = await submitGeneration(ctx, { request: request(body) });
    expect(row).toMatchObject({ state: 'FAILED', code: 'provider-failure' });
    expect((await paidFor(row.id)).map(({ data }) => data)).toEqual([{ reason: 'step-failed' }]);
    expect((await lines(row.id)).at(-1)?.kind).toBe('REFUND');
  });

  it('what the refused answer said that it cost is told with the loss', async () => {
    const { ctx, with: withPorts } = await studioScene(service);
    const generate = async () => badAnswer('the image answer is not an image', charge);
    const { providers } = ctx.studio;
    const { row } = await submitGeneration(withPorts({ providers: { ...providers, image: { generate } } }), {
      request: request(IMAGE),
    });
    expect(row.gatewayGenerationId).toBe('gen_lost');
    expect((await paidFor(row.id)).map(({ data }) => data)).toEqual([
      { reason: 'step-failed', costUsd: 0.031 },
    ]);
  });

  it.each([
    ['provider-error', IMAGE],
    ['content-refused', IMAGE],
    ['rate-limited', VOICE],
  ] as const)('« %s » was not paid: nothing is told lost', async (scenario, body) => {
    const { ctx } = await studioScene(service, { scenario });
    const { row } = await submitGeneration(ctx, { request: request(body) });
    expect(row.state).toBe('FAILED');
    expect(await paidFor(row.id)).toEqual([]);
  });

  it('a fault of ours after the payment is an internal-error, refunded, and the loss is audited', async () => {
    const { ctx, lines: logged, with: withPorts } = await studioScene(service);
    const { providers } = ctx.studio;
    const faulty = async () => {
      throw new TypeError('a fault of ours');
    };
    const { row } = await submitGeneration(
      withPorts({ providers: { ...providers, cost: { cost: faulty }, image: unpriced(providers.image) } }),
      { request: request(IMAGE) },
    );
    expect(row).toMatchObject({ state: 'FAILED', code: 'internal-error', costMicros: null });
    expect((await lines(row.id)).map((line) => line.kind)).toEqual(['RESERVE', 'REFUND']);
    expect(row.errorMessage).toContain('a fault of ours');
    expect((await paidFor(row.id)).map(({ data }) => data)).toEqual([{ reason: 'step-failed' }]);
    const told = logged.filter(({ event }) => event === 'generation.step_failed');
    expect(told).toEqual([expect.objectContaining({ generationId: row.id, error: 'TypeError' })]);
    expect(JSON.stringify(told)).toContain('submit.test.ts');
    expect(JSON.stringify(logged)).not.toContain('a fault of ours');
  });
});

/** The same provider, which leaves its price to be asked for. */
function unpriced(image: ImageProvider): ImageProvider {
  return {
    generate: async (...given) => {
      const { costMicros: _, ...result } = (await image.generate(...given)) as ImageResult;
      return result;
    },
  };
}

describe('each synchronous kind', () => {
  it.each([
    ['vector', { kind: 'vector', brief: 'Une feuille' }, 'image/svg+xml', {}],
    [
      'voice',
      { kind: 'voice', text: 'Bonjour à tous.', voiceId: 'Camille0Recorded0001' },
      'audio/mpeg',
      { voiceMs: expect.any(Number), costSource: 'usage' },
    ],
  ])('%s delivers a file of its type', async (_, body, contentType, params) => {
    const { ctx } = await studioScene(service);
    const { row } = await submitGeneration(ctx, { request: request(body) });
    expect(row.message).toBeNull();
    expect(row.artifacts[0]?.contentType).toBe(contentType);
    expect(row.params).toMatchObject(params);
    expect(row.params.voiceMs ?? 101).toBeGreaterThan(100);
  });

  it('a voice whose characters the provider did not count is settled by the formula, and says so', async () => {
    const { ctx, with: withPorts } = await studioScene(service);
    const { providers } = ctx.studio;
    const synthesize: typeof providers.voice.synthesize = async (...given) => {
      const { billedCharacters: _, ...result } = (await providers.voice.synthesize(...given)) as VoiceResult;
      return result;
    };
    const text = 'Bonjour à tous.';
    const { row } = await submitGeneration(
      withPorts({ providers: { ...providers, voice: { ...providers.voice, synthesize } } }),
      { request: request({ kind: 'voice', text, voiceId: 'Camille0Recorded0001' }) },
    );
    expect(row).toMatchObject({
      costMicros: formulaCostMicros('voice', { characters: text.length }),
      params: { costSource: 'formula' },
    });
  });

  it('uses the providers it is given: nothing is called for a forbidden member', async () => {
    const { ctx, with: withPorts, clock } = await studioScene(service, { role: 'MEMBER', permissions: [] });
    const silent = withPorts({ providers: recordedProviders(clock) });
    await expect(submitGeneration(silent, { request: request(IMAGE) })).rejects.toMatchObject({
      code: 'forbidden',
    });
    expect(await service.db.generation.count({ where: { memberId: ctx.actor.memberId } })).toBe(0);
  });
});
