import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  age,
  bytes,
  count,
  date,
  duration,
  exactTime,
  nbsp,
  ofName,
  relative,
  shortDate,
  usdThat,
} from '#app/_ui/format.ts';

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');
const NOW = new Date('2026-11-21T10:28:00Z');
const ago = (seconds: number) => relative(NOW.getTime() - seconds * 1000, NOW);

describe('French words for figures', () => {
  test('a size uses the largest unit that keeps it under 1 024', () => {
    expect([0, 1023, 1024, 1_582_000, 1_048_575, 8 * 1024 ** 2].map((value) => plain(bytes(value)))).toEqual([
      '0 o',
      '1 023 o',
      '1 Ko',
      '1,5 Mo',
      '1 Mo',
      '8 Mo',
    ]);
  });

  test('zero and one are singular, the rest is plural', () => {
    // The displayed number is rounded, and the word agrees with it.
    expect([0, 1, 1.4, 1.5, 2, 1204].map((value) => plain(count(value, 'lecture')))).toEqual([
      '0 lecture',
      '1 lecture',
      '1 lecture',
      '2 lectures',
      '2 lectures',
      '1 204 lectures',
    ]);
  });

  test('a length of time keeps its two largest units', () => {
    expect([250, 59_400, 80_000, 3_600_000, 7_505_000, 90_000_000].map((ms) => plain(duration(ms)))).toEqual([
      '250 ms',
      '59 s',
      '1 min 20 s',
      '1 h',
      '2 h 5 min',
      '1 j 1 h',
    ]);
  });

  test('a relative time never reads sixty minutes nor twenty-four hours', () => {
    expect(ago(3)).toBe('à l’instant');
    expect(plain(ago(50))).toBe('il y a 1 minute');
    expect(plain(ago(3_590))).toBe('il y a 1 heure');
    expect(ago(86_300)).toBe('hier');
    expect(plain(relative(NOW.getTime() + 12 * 86_400_000, NOW))).toBe('dans 12 jours');
    fc.assert(
      fc.property(fc.integer({ min: -4e8, max: 4e8 }), (seconds) => {
        expect(plain(ago(seconds))).not.toMatch(/\b(60 min|24 h|60 s)/);
      }),
    );
  });

  test('yesterday is the day before in Paris, and no month nor year is called the last before it is over', () => {
    const told = (at: string, now: string) => plain(relative(at, now));
    // 23:30, and 00:05 of the same day.
    expect(told('2026-11-20T23:05:00Z', '2026-11-21T22:30:00Z')).toBe('il y a 23 heures');
    expect(told('2026-11-20T22:05:00Z', '2026-11-21T22:30:00Z')).toBe('hier');
    // 25 hours before, on the day before yesterday.
    expect(told('2026-11-19T22:30:00Z', '2026-11-20T23:30:00Z')).toBe('avant-hier');
    expect(told('2026-11-21T22:30:00Z', '2026-11-20T23:10:00Z')).toBe('dans 23 heures');
    expect(told('2026-12-31T22:59:00Z', '2027-01-01T22:30:00Z')).toBe('hier');
    // The day with 25 hours, from its first minute to its last; and the night that lacks an hour.
    expect(told('2026-10-24T22:00:00Z', '2026-10-25T22:59:00Z')).toBe('il y a 24 heures');
    expect(told('2026-03-28T22:50:00Z', '2026-03-29T22:10:00Z')).toBe('avant-hier');
    expect(told('2026-03-01T08:00:00Z', '2026-03-31T09:00:00Z')).toBe('il y a 1 mois');
    expect(told('2026-12-31T09:00:00Z', '2026-12-01T08:00:00Z')).toBe('dans 1 mois');
    expect(told('2026-01-02T08:00:00Z', '2026-12-31T08:00:00Z')).toBe('il y a 1 an');
  });

  test('an age is never in the future, however far the clocks are apart', () => {
    expect(age(NOW.getTime() + 90_000, NOW)).toBe('à l’instant');
    expect(plain(age(NOW.getTime() - 200_000, NOW))).toBe('il y a 3 minutes');
    const short = (seconds: number) => plain(age(NOW.getTime() - seconds * 1000, NOW, true));
    expect([200, 7_300, 400_000].map(short)).toEqual(['il y a 3 min', 'il y a 2 h', 'il y a 5 jours']);
    fc.assert(
      fc.property(fc.integer({ min: -4e8, max: 4e8 }), (seconds) => {
        expect(age(NOW.getTime() + seconds * 1000, NOW)).not.toMatch(/^(dans|demain|après)/);
      }),
    );
  });

  test('the first day of a month is « 1er »', () => {
    expect([date('2026-12-01T12:00:00Z'), shortDate('2026-12-01T12:00:00Z')]).toEqual([
      '1er décembre 2026',
      '1er déc.',
    ]);
    expect(plain(exactTime('2026-12-01T12:00:00Z'))).toContain('mardi 1er décembre 2026');
    expect(date('2026-12-11T12:00:00Z')).toBe('11 décembre 2026');
    expect(date('2026-12-21T12:00:00Z')).toBe('21 décembre 2026');
  });

  test('« de » is elided before a vowel and a silent h', () => {
    expect(
      [
        'Agnès',
        'Thomas',
        'Élodie',
        'Œuvres',
        'Hélène',
        'Harold',
        'Hugo',
        'Hugues',
        'Houria',
        'Yves',
        'Yann',
        'août 2026',
        'mai 2026',
        '3M',
      ].map(ofName),
    ).toEqual([
      'd’Agnès',
      'de Thomas',
      'd’Élodie',
      'd’Œuvres',
      'd’Hélène',
      'de Harold',
      'de Hugo',
      'd’Hugues',
      'de Houria',
      'd’Yves',
      'de Yann',
      'd’août 2026',
      'de mai 2026',
      'de 3M',
    ]);
  });

  test('a word agrees with the amount before it, which is plural from two on', () => {
    const amounts = [0n, 500_000n, 1_990_000n, 2_000_000n, 12_500_000n];
    const words = amounts.map((one) => plain(usdThat(one, 'accordé')));
    expect(words).toEqual([
      '0,00 $US accordé',
      '0,50 $US accordé',
      '1,99 $US accordé',
      '2,00 $US accordés',
      '12,50 $US accordés',
    ]);
  });

  test('the exact time names its zone', () => {
    expect(plain(exactTime(NOW))).toBe('samedi 21 novembre 2026 à 11:28:00 (heure de Paris)');
  });

  test('punctuation keeps its space on the same line, and addresses are left alone', () => {
    expect(nbsp('Quoi ? « Oui » : https://a.example/?b')).toBe(
      'Quoi\u00a0? «\u00a0Oui\u00a0»\u00a0: https://a.example/?b',
    );
  });
});
