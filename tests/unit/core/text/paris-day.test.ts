import { expect, test } from 'vitest';
import { lastParisDays, parisDay, parisDayStart, parisTime } from '#lib/core/text/paris-day.ts';

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

test('a day begins at the instant that Paris calls its midnight, and ends where the next one begins', () => {
  const starts = {
    '2026-11-21': ['2026-11-20T23:00:00.000Z', '2026-11-21T23:00:00.000Z'],
    '2026-07-14': ['2026-07-13T22:00:00.000Z', '2026-07-14T22:00:00.000Z'],
    // Days of 23 and of 25 hours.
    '2026-03-29': ['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
    '2026-10-25': ['2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
    '2026-12-31': ['2026-12-30T23:00:00.000Z', '2026-12-31T23:00:00.000Z'],
  };
  const found = Object.keys(starts).map((day) => [
    day,
    [parisDayStart(day)?.toISOString(), parisDayStart(day, 1)?.toISOString()],
  ]);
  expect(Object.fromEntries(found)).toEqual(starts);
  for (const none of [undefined, '', 'hier', '2026-02-30', '2026-13-01', '2026-11-21T00:00:00Z'])
    expect(parisDayStart(none)).toBeUndefined();
});

test('an instant is told to the second, as Paris does', () => {
  expect(parisTime(new Date('2026-11-20T23:30:05Z'))).toBe('2026-11-21 00:30:05');
  expect(parisTime(new Date('2026-07-13T22:30:00Z'))).toBe('2026-07-14 00:30:00');
});

test('the last days are each told once, to that of now in Paris, though one of them has 25 hours', () => {
  // 23:30 on the day with 25 hours: 24 hours before, it is still the same day.
  expect(lastParisDays(new Date('2026-10-25T22:30:00Z'), 3)).toEqual([
    '2026-10-23',
    '2026-10-24',
    '2026-10-25',
  ]);
  expect(lastParisDays(new Date('2026-03-29T22:30:00Z'), 2)).toEqual(['2026-03-29', '2026-03-30']);
});
