import { describe, expect, it, test } from 'vitest';
import { IMAGE_CASES, MODELS } from '#lib/providers/models/catalogue.ts';
import type { ModelEntry } from '#lib/providers/models/entry.ts';
import type { ProviderFailure } from '#lib/providers/ports.ts';
import { fallbackOf, holdForBoth, isSurelyUnbilled } from '#lib/studio/kinds/fallback.ts';

const failed = (more: Partial<ProviderFailure>): ProviderFailure => ({
  outcome: 'failed',
  reason: 'provider-error',
  retrySafe: 'unknown',
  detail: '',
  attempts: 1,
  elapsedMs: 10,
  ...more,
});
const UNAVAILABLE = { retrySafe: 'surely-not-sent', status: 503 } as const;

describe('a second model is asked', () => {
  it.each<[string, Partial<ProviderFailure>]>([
    ['429', { reason: 'rate-limited', retrySafe: 'surely-not-sent', status: 429 }],
    ['503 with Retry-After', UNAVAILABLE],
    ['a model that is not there', { reason: 'not-found', retrySafe: 'refused', status: 404 }],
  ])('after %s', (_, failure) => expect(isSurelyUnbilled(failed(failure))).toBe(true));

  it.each<[string, Partial<ProviderFailure>]>([
    ['500', { status: 500 }],
    ['503 without Retry-After', { status: 503 }],
    ['a time-out', { reason: 'timeout' }],
    ['a cut connection', { reason: 'connection-lost' }],
    ['a gateway that cannot be reached', { reason: 'unreachable', retrySafe: 'surely-not-sent' }],
    ['a caller who gave up', { reason: 'aborted', retrySafe: 'surely-not-sent' }],
    ['a refusal of the words', { reason: 'content-refused', retrySafe: 'refused', status: 400 }],
    ['a refusal of the request', { reason: 'invalid-request', retrySafe: 'refused', status: 400 }],
    ['no credit', { reason: 'quota-exhausted', retrySafe: 'refused', status: 429 }],
    ['an answer that is none', { reason: 'bad-answer', paid: true, status: 200 }],
    ['503 that names a generation', { ...UNAVAILABLE, gatewayGenerationId: 'gen_1' }],
    ['503 that names a cost', { ...UNAVAILABLE, costMicros: 0n }],
    ['503 that was paid', { ...UNAVAILABLE, paid: true }],
  ])('never after %s', (_, failure) => expect(isSurelyUnbilled(failed(failure))).toBe(false));
});

describe('what is held', () => {
  it('covers the dearer of the two, and says what the first costs where it is the cheaper', () => {
    expect(holdForBoth('image-best', 'image-flex', { references: 0 })).toEqual({
      estimateMicros: 70_000n,
      expected: {},
    });
    expect(holdForBoth('image-best', 'image-flex', { references: 3 })).toEqual({
      estimateMicros: 200_000n,
      expected: { expectedMicros: 160_000 },
    });
    expect(holdForBoth('image-transparent', undefined, { references: 1 }).estimateMicros).toBe(85_000n);
  });

  it('counts on no model that does not take as many references', () => {
    expect(fallbackOf('image-fast', { references: 4 })).toBe('image-light');
    expect(fallbackOf('image-fast', { references: 5 })).toBeUndefined();
  });
});

test('a fallback is a reviewed line of the same kind, that offers all the formats of the first and has none of its own', () => {
  const entries: Record<string, ModelEntry> = MODELS;
  const named = Object.values(entries).flatMap(({ fallback }) => (fallback ? [fallback.case] : []));
  expect(named.sort()).toEqual(['image-flex', 'image-light']);
  expect(IMAGE_CASES.filter((name) => entries[name]?.fallback)).toHaveLength(named.length);
  for (const name of IMAGE_CASES.filter((name) => entries[name]?.fallback)) {
    const first = entries[name];
    const second = entries[first?.fallback?.case ?? ''] as ModelEntry;
    expect(second).toMatchObject({ capability: 'image', service: first?.service });
    expect(second.fallback).toBeUndefined();
    expect(second.limits.aspectRatios).toEqual(first?.limits.aspectRatios);
    expect(second.limits.promptCharacters).toBeGreaterThanOrEqual(first?.limits.promptCharacters ?? 0);
    expect(second.limits.seed).toBe(first?.limits.seed);
  }
});
