import { expect, test } from 'vitest';
import { parisDay } from '#lib/core/text/paris-day.ts';

test('a day begins at midnight in Paris, in winter as in summer, and on the days that have 23 or 25 hours', () => {
  const days = {
    '2026-11-20T22:59:59Z': '2026-11-20',
    '2026-11-20T23:00:00Z': '2026-11-21',
    '2026-12-31T22:59:59Z': '2026-12-31',
    '2026-12-31T23:00:00Z': '2027-01-01',
    '2026-07-13T21:59:59Z': '2026-07-13',
    '2026-07-13T22:00:00Z': '2026-07-14',
    // Clocks go forward on 29 March 2026, and back on 25 October.
    '2026-03-28T23:00:00Z': '2026-03-29',
    '2026-03-29T21:59:59Z': '2026-03-29',
    '2026-03-29T22:00:00Z': '2026-03-30',
    '2026-10-24T22:00:00Z': '2026-10-25',
    '2026-10-25T22:59:59Z': '2026-10-25',
    '2026-10-25T23:00:00Z': '2026-10-26',
  };
  const found = Object.keys(days).map((at) => [at, parisDay(new Date(at))]);
  expect(Object.fromEntries(found)).toEqual(days);
});
