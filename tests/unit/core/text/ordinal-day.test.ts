import { expect, test } from 'vitest';
import { ordinalDay } from '#lib/core/text/ordinal-day.ts';

test('the first of a month is an ordinal, and no other day, month nor hour is', () => {
  const format = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  const said = (at: string) => ordinalDay(format, new Date(at));
  expect(said('2026-12-01T01:01:00Z')).toBe('1er décembre 2026 à 01:01');
  expect(said('2026-01-11T01:01:00Z')).toBe('11 janvier 2026 à 01:01');
  expect(said('2026-01-21T11:11:00Z')).toBe(format.format(new Date('2026-01-21T11:11:00Z')));
});
