import { expect, test } from 'vitest';
import { checkCopy } from '#lib/studio/copy-rules/check-copy.ts';
import { fold } from '#lib/studio/copy-rules/fold.ts';

const found = (text: string, factsDeclared: readonly string[] | null = null) =>
  checkCopy({ fields: { texte: text }, factsDeclared });

test('an excerpt of 80 characters is whole; of 81, its first 79 and an ellipsis', () => {
  const blank = (length: number) => `{${'a'.repeat(length - 2)}}`;
  expect(found(blank(80)).map(({ excerpt }) => excerpt)).toEqual([blank(80)]);
  expect(found(blank(81)).map(({ excerpt }) => excerpt)).toEqual([`${blank(81).slice(0, 79)}…`]);
});

test('an excerpt never holds half of a character', () => {
  const excerpts = [76, 77, 78].flatMap((before) =>
    found(`{${'a'.repeat(before)}${'𝒜'.repeat(2)}}`).map(({ excerpt }) => excerpt),
  );
  expect(excerpts).toEqual([`{${'a'.repeat(76)}𝒜…`, `{${'a'.repeat(77)}…`, `{${'a'.repeat(78)}…`]);
});

test('what starts first is told first, whatever it holds; of two that start together, the shorter', () => {
  const rules = (text: string) => found(text, ['F1']).map(({ rule }) => rule);
  expect(rules('{prix 12}')).toEqual(['template', 'fact']);
  expect(rules('1️⃣ sac')).toEqual(['fact', 'emoji']);
});

test('each dash that a reader takes for a hyphen is one, at its place', () => {
  expect(fold('a‐b‑c−d﹣e－f')).toEqual({
    text: 'a-b-c-d-e-f',
    origins: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  });
});

test('white space of any kind is one space, at the place of its first', () => {
  expect(fold('a \t\u00a0\u2003b')).toEqual({ text: 'a b', origins: [0, 1, 5, 6] });
});
