import { describe, expect, test } from 'vitest';
import {
  AMOUNT_PATTERN,
  typedAmount,
  typedAmountOrNone,
  typedGigabytesOrNone,
} from '#app/_cockpit/amount.ts';
import { usdDigits } from '#app/_cockpit/money.ts';
import { usd } from '#app/_ui/format.ts';
import { allowanceProblem } from '#lib/ledger/allowances.ts';
import { daysLeft } from '#lib/ledger/low-balance.ts';

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

describe('amounts of one column', () => {
  test('have as many decimals as the one that needs most, two to four', () => {
    const column = (...micros: bigint[]) => micros.map((one) => plain(usd(one, usdDigits(micros))));
    expect(column(25_000_000n, 42_100n, -1_320_000n)).toEqual(['25,0000 $US', '0,0421 $US', '−1,3200 $US']);
    expect(column(5_000_000n, 320_000n)).toEqual(['5,00 $US', '0,32 $US']);
    expect(column(5_000_000n, 321_000n)).toEqual(['5,000 $US', '0,321 $US']);
    expect(column(123_456n)).toEqual(['0,1235 $US']);
    expect(column()).toEqual([]);
    expect(plain(usd(42_100n))).toBe('0,0421 $US');
  });
});

describe('a balance', () => {
  const now = new Date('2026-11-11T00:00:00Z');
  const left = (available: number, spent: number, at = now) =>
    daysLeft({ availableMicros: BigInt(available), monthSpentMicros: BigInt(spent) }, at);

  test('is low when it lasts less than a week at the pace of the month, and not before', () => {
    expect(left(7_000_000, 10_000_000)).toBeNull();
    expect(left(6_999_999, 10_000_000)).toBe(6);
    expect(left(500_000, 10_000_000)).toBe(0);
    expect(left(0, 1)).toBe(0);
    expect(left(-5, 1)).toBe(0);
  });

  test('is not told to be low where nothing was debited, nor after one dear morning', () => {
    expect(left(0, 0)).toBeNull();
    expect(left(2_000_000, 1_000_000, new Date('2026-11-01T06:00:00Z'))).toBe(6);
    expect(left(3_000_000, 1_000_000, new Date('2026-11-01T06:00:00Z'))).toBeNull();
  });
});

describe('what a person types in a field of amounts', () => {
  const GIB = 1024n ** 3n;

  test('may have spaces between thousands, a decimal comma and the unit, as it is shown elsewhere', () => {
    const dollars = (text: string) => typedAmountOrNone('non').safeParse(text).data;
    const asShown = new RegExp(`^(?:${AMOUNT_PATTERN})$`, 'v');
    for (const text of ['1500', '1 500', '1\u202f500,00', '1\u00a0500\u00a0$US', '$ 1500', '1500.0 $']) {
      expect(dollars(text)).toBe(1_500_000_000n);
      // The browser lets through what the server reads: « 1 500 » was stopped with the browser's own words.
      expect([text, asShown.test(text)]).toEqual([text, true]);
    }
    for (const text of ['', ' ', 'beaucoup', '1,5,5', '12 €', '-5'])
      expect([text, asShown.test(text)]).toEqual([text, false]);
    expect(dollars(' ')).toBeNull();
    const bytes = (text: string) => typedGigabytesOrNone('non').safeParse(text).data;
    for (const text of ['1500', '1 500', '1\u202f500', '1\u00a0500\u00a0Go', '1500,0 go '])
      expect(bytes(text)).toBe(1_500n * GIB);
    expect(bytes('12,5')).toBe((25n * GIB) / 2n);
    expect(bytes(' ')).toBeNull();
  });

  test('is refused when it is not a number: what removes a cap is an empty field, not a unit that was left alone', () => {
    for (const text of ['beaucoup', '-5', '-0', '1,5,5', '12 €', '$', '$US', '1e3', '½', '١٢', '１２'])
      expect([text, typedAmountOrNone('non').safeParse(text).success]).toEqual([text, false]);
    for (const text of ['beaucoup', '-5', '1,5,5', '12 To', 'Go'])
      expect([text, typedGigabytesOrNone('non').safeParse(text).success]).toEqual([text, false]);
  });

  test('is an amount all the same when it is too large: the bound is told, not that nothing was written', () => {
    expect(typedAmount('non').parse('12 345 678')).toBe(12_345_678_000_000n);
    expect(allowanceProblem(typedAmount('non').parse('12 345 678'))).toMatch(/de 0 à 1\s000\s000\s\$US/);
    expect(typedGigabytesOrNone('non').parse('2 000 000 Go')).toBe(2_000_000n * GIB);
  });
});
