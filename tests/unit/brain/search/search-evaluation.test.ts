import { expect, test } from 'vitest';
import { CORPUS } from '#tests/bench/search-fr/corpus.ts';
import { evaluate, formatMetrics, ourEngine, peerEngines } from '#tests/bench/search-fr/evaluate.ts';
import { QUERIES } from '#tests/bench/search-fr/queries.ts';

test('every expected answer of the French set exists, under a key of its own', () => {
  const keys = new Set(CORPUS.map(({ key }) => key));
  expect(keys.size).toBe(CORPUS.length);
  expect(CORPUS.length).toBeGreaterThanOrEqual(300);
  expect(QUERIES.length).toBeGreaterThanOrEqual(150);
  expect(QUERIES.flatMap(({ expected }) => expected).filter((key) => !keys.has(key))).toEqual([]);
});

test('on the French set search is ahead of MiniSearch and Orama, and silent on what is not there', async () => {
  const ours = await evaluate(ourEngine());
  const results = { Atelier: ours };
  for (const [name, engine] of Object.entries(await peerEngines())) {
    const peer = await evaluate(engine);
    Object.assign(results, { [name]: peer });
    expect(ours.success1, name).toBeGreaterThan(peer.success1);
    expect(ours.mrr10, name).toBeGreaterThan(peer.mrr10);
  }
  console.log(formatMetrics(results));
  expect(ours.success1).toBeGreaterThanOrEqual(0.96);
  expect(ours.mrr10).toBeGreaterThanOrEqual(0.97);
  expect(ours.silence).toBe(1);
});
