import { createHmac } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import type { StudioContext } from '#lib/studio/context.ts';
import { getGeneration } from '#lib/studio/journal/get-generation.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { submitVariants } from '#lib/studio/submission/submit-variants.ts';
import { sweepGenerations } from '#lib/studio/sweep/sweep-generations.ts';
import { exampleFields, findTemplate } from '#lib/studio/templates/registry.ts';
import { acceptVideoWebhook } from '#lib/studio/webhooks/accept-video-webhook.ts';
import { handleRenderCallback } from '#lib/studio/webhooks/handle-render-callback.ts';
import { IMAGE, request, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';
import { useSpans } from '#tests/setup/traces/record-spans.ts';

const service = useTestService();
const spans = useSpans();
beforeEach(() => {
  spans.length = 0;
});

const ALLOWED = [
  'member.id',
  'product.id',
  'generation.id',
  'generation.kind',
  'outcome',
  'trigger',
  'code',
  'settled',
  'reconciled',
  'errors',
].map((name) => `studio.${name}`);
const studio = (name: string) => spans.filter((span) => span.name === name);
const SECRET_BRIEF = 'Une-phrase-que-personne-ne-doit-lire';

/** The provider's own signed call about a row. */
async function callBack(ctx: StudioContext, row: { id: string; providerJobId: string | null }) {
  const kept = await service.db.generation.findUniqueOrThrow({ where: { id: row.id } });
  const rawBody = JSON.stringify({ jobId: row.providerJobId });
  const at = Math.floor(ctx.clock.now().getTime() / 1_000);
  const mark = createHmac('sha256', kept.providerWebhookSecret ?? '')
    .update(`${at}.${rawBody}`)
    .digest('hex');
  const signature = `t=${at},v1=${mark}`;
  const system = { ...ctx, actor: { type: 'system', job: 'video-webhook' } as const };
  const verdict = await acceptVideoWebhook(system, { generationId: row.id, rawBody, signature });
  await (verdict.verdict === 'accepted' ? verdict.settle() : Promise.reject(verdict));
}

test('a generation leaves a span with member, product, kind and outcome: delivered, replayed, or the refusal', async () => {
  const { ctx } = await studioScene(service);
  const input = { request: request({ ...IMAGE, brief: SECRET_BRIEF }), idempotencyKey: 'k' };
  await submitGeneration(ctx, input);
  await submitGeneration(ctx, input);
  const poor = await studioScene(service, { creditMicros: 1n });
  await submitGeneration(poor.ctx, { request: request(IMAGE) }).catch(() => undefined);
  // No product of this account: what was asked is what the span names.
  const foreign = request({ ...IMAGE, productId: 'lumen-bougies' });
  await submitGeneration(ctx, { request: foreign }).catch(() => undefined);
  const broken = await studioScene(service, { scenario: 'provider-error' });
  await submitGeneration(broken.ctx, { request: request(IMAGE) });
  expect(studio('studio.generation').map(({ attributes }) => attributes['studio.outcome'])).toEqual([
    'delivered',
    'replayed',
    'balance',
    'invalid',
    'provider-failure',
  ]);
  expect(studio('studio.generation')[3]?.attributes['studio.product.id']).toBe('lumen-bougies');
  expect(studio('studio.generation')[0]?.attributes).toMatchObject({
    'studio.member.id': ctx.actor.memberId,
    'studio.product.id': 'free',
    'studio.generation.kind': 'image',
  });
});

test('several of one request leave a span each when they are made, and one when they are replayed or refused', async () => {
  const { ctx } = await studioScene(service);
  const input = { request: request(IMAGE), variants: 2, idempotencyKey: 'k' };
  await submitVariants(ctx, input);
  await submitVariants(ctx, input);
  const poor = await studioScene(service, { creditMicros: 1n });
  await submitVariants(poor.ctx, input).catch(() => undefined);
  expect(studio('studio.generation').map(({ attributes }) => attributes['studio.outcome'])).toEqual([
    'delivered',
    'delivered',
    'replayed',
    'balance',
  ]);
});

test('jobs, sweeps and renders leave theirs; none carries a prompt, a reference, a file or a secret, in spans or logs', async () => {
  const { ctx, clock, lines } = await studioScene(service);
  const video = { kind: 'video', case: 'veo', brief: SECRET_BRIEF, durationSeconds: 4 };
  const first = await submitGeneration(ctx, { request: request(video) });
  const secret = (await service.db.generation.findUniqueOrThrow({ where: { id: first.row.id } }))
    .providerWebhookSecret;
  await submitGeneration(ctx, { request: request(video) });
  const called = await submitGeneration(ctx, { request: request(video) });
  const template = findTemplate('quote-card');
  const render = await submitGeneration(ctx, {
    request: request({
      kind: 'render',
      template: 'quote-card',
      size: template?.sizes[0]?.id,
      fields: { ...exampleFields(template as NonNullable<typeof template>) },
    }),
  });
  clock.advance(60_000);
  await getGeneration(ctx, { generationId: first.row.id });
  await callBack(ctx, called.row);
  const runId = render.row.params.workflowRunId ?? '';
  await handleRenderCallback(ctx, {
    generationId: render.row.id,
    runId,
    status: 'failure',
    files: [],
    durationMs: 1,
  });
  clock.advance(300_000);
  await sweepGenerations({ ...ctx, actor: { type: 'system', job: 'generations-sweep' } });
  expect(studio('studio.video.settle').map(({ attributes }) => attributes['studio.trigger'])).toEqual([
    'pull',
    'webhook',
    'sweep',
  ]);
  expect(studio('studio.generation').map(({ attributes }) => attributes['studio.outcome'])).toEqual(
    Array(4).fill('running'),
  );
  for (const name of ['studio.render.launch', 'studio.render.callback', 'studio.sweep'])
    expect(studio(name), name).toHaveLength(1);
  for (const span of spans) {
    expect(span.ended, span.name).toBe(true);
    if (span.name.startsWith('studio.provider.')) continue;
    for (const name of Object.keys(span.attributes)) expect(ALLOWED).toContain(name);
  }
  const told = JSON.stringify([spans, lines]);
  for (const hidden of [SECRET_BRIEF, secret, 'whsec', 'vercel_blob_rw_local_secret'])
    expect(told).not.toContain(hidden);
});
