import { expect, test } from 'vitest';
import { useSpans } from '#tests/setup/traces/record-spans.ts';
import { json, liveProviders, PORT_CALLS, recordedProviders, SECRETS, scriptedNetwork } from './calls.ts';

const spans = useSpans();

const ALLOWED = ['mode', 'capability', 'model', 'outcome', 'reason', 'gateway_cost_usd'].map(
  (name) => `studio.provider.${name}`,
);

test.each(PORT_CALLS)('$name leaves one ended span with the allowed attributes only', async ({ run }) => {
  spans.length = 0;
  await run(recordedProviders());
  expect(spans).toHaveLength(1);
  const [span] = spans;
  expect(span?.name).toMatch(/^studio\.provider\.[a-z.]+$/);
  expect(span?.ended).toBe(true);
  expect(span?.attributes['studio.provider.mode']).toBe('fixtures');
  for (const name of Object.keys(span?.attributes ?? {})) expect(ALLOWED).toContain(name);
});

test('mode, capability, model and the reported cost are on the span of an image', async () => {
  spans.length = 0;
  await recordedProviders().image.generate({ case: 'image-best', prompt: 'x', aspectRatio: '1:1' });
  expect(spans[0]).toMatchObject({
    name: 'studio.provider.image',
    attributes: {
      'studio.provider.mode': 'fixtures',
      'studio.provider.capability': 'image',
      'studio.provider.model': 'bfl/flux-2-max',
      'studio.provider.outcome': 'success',
      'studio.provider.gateway_cost_usd': 0.07,
    },
  });
});

test('what a lipsync cost, which its own service tells, is no cost of the gateway', async () => {
  spans.length = 0;
  const ended = json({ id: 'job_1', status: 'COMPLETED', outputUrl: 'https://files.example/a.mp4' });
  const costs = { generationId: 'job_1', currency: 'USD', availability: 'complete', totalCostUsd: '0.375' };
  const { lipsync } = liveProviders(scriptedNetwork(ended, json(costs)).fetch);
  const done = await lipsync.status({ operation: { id: 'job_1' } });
  expect(done).toMatchObject({ outcome: 'completed', costMicros: 375_000n });
  expect(spans[0]?.attributes).toMatchObject({ 'studio.provider.outcome': 'completed' });
  expect(spans[0]?.attributes).not.toHaveProperty('studio.provider.gateway_cost_usd');
});

test('no prompt, reference, file or secret reaches a span, even through a failure that quotes them', async () => {
  spans.length = 0;
  const quoting = json(
    { error: { message: `${Object.values(SECRETS).join(' ')} Un vase bleu La mer` } },
    400,
  );
  for (const { run } of PORT_CALLS) await run(liveProviders(scriptedNetwork(quoting).fetch));
  const text = JSON.stringify(spans);
  expect(spans).toHaveLength(PORT_CALLS.length);
  for (const word of [...Object.values(SECRETS), 'vase', 'La mer', 'Bonjour', 'files.example', 'data:'])
    expect(text).not.toContain(word);
});
