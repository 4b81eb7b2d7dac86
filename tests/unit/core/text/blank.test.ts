import { expect, test } from 'vitest';
import { isBlank } from '#lib/core/text/blank.ts';

test('a text of which nobody sees anything is blank, whatever it is made of; an emoji or a joined script is not', () => {
  const blank = [
    '',
    ' ',
    '\u00a0\u202f',
    '\u200b',
    '\u200d\ufe0f',
    '\u2060 \ufeff',
    '\u00ad',
    '\u3164',
    '\u2800',
    '\u202e',
  ];
  expect(blank.filter((text) => !isBlank(text))).toEqual([]);
  expect(['a', '0', '🕯️', '👩‍🎨', 'می‌خواهم', '\u200bLumen\u200b', '«'].filter(isBlank)).toEqual([]);
});
