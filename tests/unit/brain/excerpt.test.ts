import { expect, it } from 'vitest';
import { excerptOf } from '#lib/brain/text/excerpt.ts';

it.each([
  ['# Ton\n\n- Calme\n- Précis', 'Ton Calme Précis'],
  ['\n\n  \n## Loin du haut', 'Loin du haut'],
  ['Voir [la charte](https://exemple.fr/a) et ![logo](b.png).', 'Voir la charte et logo.'],
  ['1. Un\n2. **Deux** `trois`', 'Un Deux trois'],
  ['a [crochet (seul', 'a [crochet (seul'],
  [' > Citation ', 'Citation'],
])('an excerpt of %j is its words, without marks, on one line', (text, excerpt) => {
  expect(excerptOf(text, 90)).toBe(excerpt);
});

it('an excerpt is cut at its length, never in the middle of a character', () => {
  expect(excerptOf('a'.repeat(90), 90)).toBe('a'.repeat(90));
  expect(excerptOf('a'.repeat(91), 90)).toBe(`${'a'.repeat(90)}…`);
  expect(excerptOf(`${'a'.repeat(89)}🕯️ et la suite`, 90)).toBe(`${'a'.repeat(89)}…`);
});

// Reading that starts again from each of these characters would take minutes, past the time limit of the test.
it.each(['\n', '\r', '\u2028', ' ', '[', '](', '[](', '# ', '- ', '1', '*'])(
  'an excerpt of a very long run of %j is read in one pass',
  (part) => {
    expect(excerptOf(part.repeat(300_000), 300_000).length).toBeLessThanOrEqual(300_001);
    expect(excerptOf(`)${part.repeat(300_000)}`, 300_000).length).toBeLessThanOrEqual(300_001);
  },
  10_000,
);
