import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { GATEWAY_REFUSALS } from '#lib/providers/gateway/recorded-rules.ts';
import { type CaseId, IMAGE_CASES, MODELS, VIDEO_CASES } from '#lib/providers/models/catalogue.ts';
import type { ModelEntry } from '#lib/providers/models/entry.ts';
import { modelsTable } from '#lib/providers/models/markdown.ts';
import { marksTable } from '#lib/providers/models/marks.ts';
import { estimateMicros } from '#lib/providers/models/pricing.ts';

const entries = Object.entries(MODELS) as [CaseId, ModelEntry][];

test('docs/providers.md shows the very table that is used', async () => {
  const text = await readFile('docs/providers.md', 'utf8');
  expect(text).toContain(`<!-- marks -->\n${marksTable()}\n<!-- /marks -->`);
  expect(text).toContain(`<!-- models -->\n${modelsTable()}\n<!-- /models -->`);
});

test('the nine video cases of the specification are served, and two image models', () => {
  expect(VIDEO_CASES).toEqual([
    'veo',
    'best-quality',
    'cinematic',
    'seedance-2',
    'seedance-2-5',
    'omni',
    'nova',
    'replace',
    'motion',
  ]);
  expect(new Set(IMAGE_CASES.map((name) => MODELS[name].modelId)).size).toBeGreaterThanOrEqual(2);
});

test('an image line of the table can be asked for, or is the fallback of one that can', () => {
  const lines = entries.filter(([, { capability }]) => capability === 'image').map(([name]) => name);
  const fallbacks = IMAGE_CASES.flatMap((name) => MODELS[name].fallback?.case ?? []);
  expect(fallbacks).toHaveLength(2);
  expect(lines.sort()).toEqual([...IMAGE_CASES, ...fallbacks].sort());
});

/** The models that take files of a role, with the rule of each. */
const taking = (role: 'end-image' | 'clip') =>
  entries.flatMap(([name, { references }]) => {
    const rule = references?.[role];
    return rule ? [{ name, rule, roles: Object.keys(references ?? {}) }] : [];
  });

test('a model that takes a last image takes a first one, and a clip has a longest length', () => {
  const [last, clips] = [taking('end-image'), taking('clip')];
  expect([last.length, clips.length].every((count) => count > 2)).toBe(true);
  expect(last.filter(({ roles }) => !roles.includes('start-image'))).toEqual([]);
  expect(clips.filter(({ rule }) => !((rule.maxMs ?? 0) > 0))).toEqual([]);
});

const LISTS = { image: 'image', vector: 'language', video: 'video' } as const;

test('every model that the gateway is asked for is in its library’s list of that route; no other', async () => {
  const named = async (kind: string) => {
    const file = `node_modules/@ai-sdk/gateway/src/gateway-${kind}-model-settings.ts`;
    return new Set([...(await readFile(file, 'utf8')).matchAll(/'([^']+)'/g)].map(([, id]) => id));
  };
  const unlisted: string[] = [];
  for (const [name, { service, capability, modelId, modelIdWithStartImage: other }] of entries) {
    if (service !== 'gateway') continue;
    const listed = await named(LISTS[capability as keyof typeof LISTS]);
    if (![modelId, other ?? modelId].every((id) => listed.has(id))) unlisted.push(name);
  }
  const unserved = entries.filter(([, entry]) => entry.unserved).map(([name]) => name);
  expect(unserved).toHaveLength(3);
  expect(unlisted).toEqual(unserved);
});

describe.each(entries)('%s', (name, entry) => {
  test('has a source, and coherent bounds', () => {
    expect(entry.source.length).toBeGreaterThan(10);
    for (const rule of Object.values(entry.references ?? {})) {
      expect(rule.min).toBeLessThanOrEqual(rule.max);
      expect(rule.minMs ?? 0).toBeLessThan(rule.maxMs ?? Number.POSITIVE_INFINITY);
    }
  });

  test('can be priced in every resolution that it offers', () => {
    for (const resolution of entry.limits.resolutions ?? [undefined]) {
      const price = estimateMicros(name, {
        inputTokens: 10,
        characters: 10,
        outputMs: 4_000,
        sourceMs: 4_000,
        outputPixels: 4_194_304,
        ...(resolution ? { resolution } : {}),
      });
      expect(price).toBeGreaterThan(0n);
    }
  });
});

test('no model of the table is one whose end is announced', () => {
  const ended = GATEWAY_REFUSALS.filter(({ id }) => id.endsWith('-retired')).flatMap(({ models }) => models);
  expect(ended.length).toBeGreaterThan(1);
  const ids = Object.values(MODELS).map(({ modelId }) => modelId);
  expect(ids.filter((id) => ended.some((name) => id.startsWith(name)))).toEqual([]);
});
