import { expect, test } from 'vitest';
import { waitWords } from '#lib/core/text/wait-words.ts';

test('a wait is said in minutes, then in hours, never shorter than it is', () => {
  expect([1, 60, 61, 5_400].map(waitWords)).toEqual([
    'dans 1 minute',
    'dans 1 minute',
    'dans 2 minutes',
    'dans 90 minutes',
  ]);
  expect([5_401, 7_200, 7_201, 86_400].map(waitWords)).toEqual([
    'dans 2 heures',
    'dans 2 heures',
    'dans 3 heures',
    'dans 24 heures',
  ]);
});
