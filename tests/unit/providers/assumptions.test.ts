import { expect, test } from 'vitest';
import { ASSUMPTIONS } from '#lib/messages/assumptions.ts';
import { describeModels } from '#lib/providers/wiring/describe-providers.ts';

test('what could not be verified of a model is said in French, each of it, and nothing that the table does not say', () => {
  const said = new Set(describeModels().flatMap(({ assumption }) => assumption ?? []));
  expect(said.size).toBeGreaterThan(0);
  expect([...said].filter((sentence) => !Object.hasOwn(ASSUMPTIONS, sentence))).toEqual([]);
  expect(Object.keys(ASSUMPTIONS).filter((sentence) => !said.has(sentence))).toEqual([]);
});
