import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createId, isId } from '#lib/core/ids.ts';
import { formatUsd, microsFromUsd, usdFromMicros } from '#lib/core/money.ts';

describe('identifiers', () => {
  test('10,000 identifiers of one millisecond are distinct and strictly increasing, in any byte-wise order', () => {
    const at = new Date('2026-11-21T10:00:00Z');
    const ids = Array.from({ length: 10_000 }, () => createId('memory', at));
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => isId('memory', id))).toBe(true);
    expect(isId('space', ids[0] ?? '')).toBe(false);
  });

  test('those of one millisecond stay increasing while others are made at other times in between', () => {
    const start = Date.parse('2026-11-21T10:00:00Z');
    const times = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 2, maxLength: 400 });
    fc.assert(
      fc.property(times, (offsets) => {
        const made = offsets.map((offset) => ({
          offset,
          id: createId('ledgerLine', new Date(start + offset)),
        }));
        // A stable sort: what was made first at one time must stay first.
        const expected = made.toSorted((a, b) => a.offset - b.offset).map(({ id }) => id);
        expect(made.map(({ id }) => id).toSorted()).toEqual(expected);
      }),
    );
  });

  test('a later millisecond sorts after', () => {
    const early = createId('space', new Date(1_000));
    expect(createId('space', new Date(1_001)) > early).toBe(true);
  });

  test('an instant before 1970 gives an identifier of the same shape, before all later ones', () => {
    for (const at of ['1969-12-31T23:59:59.999Z', '1904-01-01T00:00:00Z', '0001-01-01T00:00:00Z']) {
      const id = createId('asset', new Date(at));
      expect(isId('asset', id)).toBe(true);
      expect(id < createId('asset', new Date(1))).toBe(true);
    }
    expect(isId('asset', createId('asset', new Date('9998-12-31T23:59:59.999Z')))).toBe(true);
  });
});

describe('money', () => {
  test('dollars read from text are exact to the micro-dollar, rounded half up beyond', () => {
    expect(microsFromUsd('0.0421337')).toBe(42_134n);
    expect(microsFromUsd('0.0000005')).toBe(1n);
    expect(microsFromUsd('1e-7')).toBe(0n);
    expect(microsFromUsd(12.5)).toBe(12_500_000n);
    expect(microsFromUsd('-3.25')).toBe(-3_250_000n);
    for (const bad of ['', 'NaN', '1,5', '0x10', '1.2.3', Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => microsFromUsd(bad)).toThrow(RangeError);
  });

  test('an amount may have an exponent, no decimals, or spaces around it', () => {
    const amounts = ['5', ' 1.5\n', '1e2', '1E+2', '12.5e-1', '7e-6', '1e10', '123456789e-12', '0.000001'];
    expect(amounts.map(microsFromUsd)).toEqual([
      5_000_000n,
      1_500_000n,
      100_000_000n,
      100_000_000n,
      1_250_000n,
      7n,
      10_000_000_000_000_000n,
      123n,
      1n,
    ]);
    for (const bad of ['1e', '1e1234', 'e5', '.5', '1 5', '--1', '1e5x', 'x1'])
      expect(() => microsFromUsd(bad)).toThrow('not a decimal dollar amount');
    expect(() => microsFromUsd(Number.POSITIVE_INFINITY)).toThrow('not a finite dollar amount');
  });

  test('micro-dollars survive the way to dollars and back', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), (micros) => {
        expect(microsFromUsd(usdFromMicros(micros).toFixed(6))).toBe(micros);
      }),
    );
  });

  test('amounts are written in French, with the decimals that they need', () => {
    expect(formatUsd(42_100n).replace(/\s/g, ' ')).toBe('0,0421 $US');
    expect(formatUsd(25_000_000n).replace(/\s/g, ' ')).toBe('25,00 $US');
    expect(formatUsd(-42_100n).replace(/\s/g, ' ')).toBe('−0,0421 $US');
    // What rounds to nothing is nothing, and not less.
    expect(formatUsd(-49n).replace(/\s/g, ' ')).toBe('0,00 $US');
    expect([0, 1, 3].map((digits) => formatUsd(25_000_000n, digits).replace(/\s/g, ' '))).toEqual([
      '25 $US',
      '25,0 $US',
      '25,000 $US',
    ]);
  });
});
