import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { founderWords } from '#app/_ui/state/founder-words.ts';

test('whom to ask is said by name, as a choice, or as a founder when none is known', () => {
  expect(founderWords([])).toBe('un fondateur du compte');
  expect(founderWords(['Agnès'])).toBe('Agnès');
  expect(founderWords(['Agnès', 'Inès'])).toBe('Agnès ou Inès');
  expect(founderWords(['Agnès', 'Inès', 'Louis'])).toBe('Agnès, Inès ou Louis');
});

test('no page makes the list otherwise', () => {
  const files = globSync('app/**/*.{ts,tsx}');
  const makers = files.filter((file) => readFileSync(file, 'utf8').includes('disjunction'));
  expect(makers).toEqual(['app/_ui/state/founder-words.ts']);
});
