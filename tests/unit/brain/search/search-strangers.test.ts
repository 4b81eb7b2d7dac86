import { expect, test } from 'vitest';
import { STRANGER_KINDS } from '#tests/eval/strangers/brand.ts';
import { STRANGER_BRANDS } from '#tests/eval/strangers/brands.ts';
import { measureStrangers } from '#tests/eval/strangers/measure.ts';

test('what is wanted of each brand exists, under a key of its own; every kind of question is asked, each question once', () => {
  expect(STRANGER_BRANDS).toHaveLength(6);
  for (const { space, memories, questions } of STRANGER_BRANDS) {
    const keys = new Set(memories.map(([key]) => key));
    expect(keys.size, space).toBe(memories.length);
    expect(questions.flatMap(([, , ...expected]) => expected).filter((key) => !keys.has(key))).toEqual([]);
    expect(new Set(questions.map(([, q]) => q)).size, space).toBe(questions.length);
    for (const [kind, q, ...expected] of questions)
      expect(expected.length === 0, q).toBe(kind === 'no answer');
  }
  const asked = STRANGER_BRANDS.flatMap(({ questions }) => questions.map(([kind]) => kind));
  expect(asked.length).toBeGreaterThanOrEqual(200);
  expect(new Set(asked)).toEqual(new Set(STRANGER_KINDS));
});

test('of a stranger’s questions, 89 in a hundred find what is wanted first, and 95 among the first three', async () => {
  const { first, three, mrr10 } = await measureStrangers(STRANGER_BRANDS);
  expect(first).toBeGreaterThanOrEqual(0.89);
  expect(three).toBeGreaterThanOrEqual(0.95);
  expect(mrr10).toBeGreaterThanOrEqual(0.92);
});
