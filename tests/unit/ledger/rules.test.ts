import { describe, expect, test, vi } from 'vitest';
import { ServiceError } from '#lib/core/errors.ts';
import { allowanceProblem } from '#lib/ledger/allowances.ts';
import { isRaised } from '#lib/ledger/caps.ts';
import { checkedGrant, onceByKey } from '#lib/ledger/grant-rules.ts';
import { judgeReserve } from '#lib/ledger/judge-reserve.ts';
import { addMonths, daysOf, isMonth, utcMonth } from '#lib/ledger/month.ts';

describe('months', () => {
  test('an instant counts in its UTC month', () => {
    expect(utcMonth(new Date('2026-11-30T23:59:59.999Z'))).toBe('2026-11');
    expect(utcMonth(new Date('2026-12-01T00:30:00+01:00'))).toBe('2026-11');
  });

  test('a month is a year of four digits and one of twelve numbers, and nothing beside', () => {
    for (const text of ['2026-01', '2026-09', '2026-10', '2026-12']) expect(isMonth(text)).toBe(true);
    for (const text of [
      '2026-00',
      '2026-13',
      '2026-20',
      '2026-1',
      '202-11',
      '12026-11',
      '2026-111',
      'x2026-11',
      '2026-1a',
      'abcd-11',
    ])
      expect(isMonth(text)).toBe(false);
  });

  test('months are added and taken away across years', () => {
    expect([2, 1, 0, -10, -11, 14].map((count) => addMonths('2026-11', count))).toEqual([
      '2027-01',
      '2026-12',
      '2026-11',
      '2026-01',
      '2025-12',
      '2028-01',
    ]);
  });

  test('the days of a month, leap years too', () => {
    expect(daysOf('2028-02')).toHaveLength(29);
    expect(daysOf('2026-02')).toHaveLength(28);
    const days = daysOf('2026-12');
    expect([days.length, days[0], days[8], days[9], days[30]]).toEqual([
      31,
      '2026-12-01',
      '2026-12-09',
      '2026-12-10',
      '2026-12-31',
    ]);
  });
});

test('a cap is raised by a larger one or by none; none is not raised, nor what is left as it is', () => {
  const table: [bigint | null, bigint | null | undefined, boolean][] = [
    [null, null, false],
    [null, 5n, false],
    [null, undefined, false],
    [5n, undefined, false],
    [5n, null, true],
    [5n, 6n, true],
    [5n, 5n, false],
    [5n, 4n, false],
    [0n, 1n, true],
  ];
  for (const [before, after, raised] of table) expect(isRaised(before, after)).toBe(raised);
});

describe('a wallet asked for several reserves together', () => {
  const open = {
    availableMicros: 1_000n,
    perGenerationCapMicros: null as bigint | null,
    monthlyCapMicros: null as bigint | null,
    monthUsedMicros: 0n,
    accountCeilingMicros: null as bigint | null,
    accountUsedMicros: 0n,
    credentialCapMicros: null as bigint | null,
    credentialUsedMicros: 0n,
  };

  test('gives all that is available, and nothing beyond', () => {
    expect(judgeReserve(open, 1_000n)).toBeNull();
    expect(judgeReserve(open, 1_001n)).toEqual({
      code: 'balance',
      detail: 'balance',
      availableMicros: 1_000n,
    });
  });

  test('holds the cap of one generation against each, and every other limit against their sum', () => {
    expect(judgeReserve({ ...open, perGenerationCapMicros: 50n }, 200n, 50n)).toBeNull();
    expect(judgeReserve({ ...open, perGenerationCapMicros: 50n }, 200n, 51n)).toMatchObject({
      detail: 'per-generation',
    });
    expect(judgeReserve({ ...open, perGenerationCapMicros: 50n }, 51n)).toMatchObject({
      detail: 'per-generation',
    });
    for (const [limit, detail] of [
      ['monthlyCapMicros', 'monthly'],
      ['accountCeilingMicros', 'account'],
      ['credentialCapMicros', 'credential'],
    ] as const) {
      expect(judgeReserve({ ...open, [limit]: 200n }, 200n, 50n)).toBeNull();
      expect(judgeReserve({ ...open, [limit]: 199n }, 200n, 50n)).toMatchObject({ code: 'cap', detail });
    }
  });
});

test('the cap of a credential goes from nothing to a million dollars', () => {
  expect([0n, 1_000_000_000_000n].map(allowanceProblem)).toEqual([null, null]);
  for (const beyond of [-1n, 1_000_000_000_001n])
    expect(allowanceProblem(beyond)).toMatch(/de 0 à 1\s000\s000\s\$US/);
});

describe('a grant', () => {
  const problems = (input: { amountMicros: bigint; note?: string }): string[] => {
    try {
      checkedGrant(input);
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'invalid')
        return (error.options.problems ?? []).map(({ field, message }) => `${field}: ${message}`);
      throw error;
    }
    return [];
  };
  const AMOUNT = 'amountUsd: Le crédit doit être compris entre 0 et 1\u00a0000\u00a0000\u00a0$US.';
  const NOTE = 'note: La note compte au plus 200 caractères.';

  test('is of more than nothing and of a million dollars at most, with a note of 200 characters at most', () => {
    expect(problems({ amountMicros: 1n })).toEqual([]);
    expect(problems({ amountMicros: 1_000_000_000_000n })).toEqual([]);
    expect(problems({ amountMicros: 0n })).toEqual([AMOUNT]);
    expect(problems({ amountMicros: -1n })).toEqual([AMOUNT]);
    expect(problems({ amountMicros: 1_000_000_000_001n })).toEqual([AMOUNT]);
    expect(problems({ amountMicros: 1n, note: ` ${'x'.repeat(200)} ` })).toEqual([]);
    expect(problems({ amountMicros: 1n, note: 'x'.repeat(201) })).toEqual([NOTE]);
    expect(problems({ amountMicros: 0n, note: 'x'.repeat(201) })).toEqual([AMOUNT, NOTE]);
  });

  test('keeps its note trimmed, and an empty one as none', () => {
    const note = (text?: string) =>
      checkedGrant({ amountMicros: 1n, ...(text === undefined ? {} : { note: text }) }).note;
    expect([note(' Merci '), note('  '), note()]).toEqual(['Merci', null, null]);
    expect(checkedGrant({ amountMicros: 7n, memberId: 'mbr_1' })).toEqual({
      amountMicros: 7n,
      memberId: 'mbr_1',
      note: null,
    });
  });
});

describe('a grant under an idempotency key', () => {
  const given = { amountMicros: 5n, note: 'Merci', idempotencyKey: 'k' };
  const line = { amountMicros: 5n, note: 'Merci' };
  const steps = (found: (typeof line | undefined)[], write: () => Promise<string>) => ({
    find: vi.fn(async (_: string) => found.shift()),
    write: vi.fn(write),
    replay: () => 'replayed',
  });
  const written = async () => 'written';
  const unique = Object.assign(new Error('twice'), { code: '23505' });
  const failing = (error: unknown) => () => Promise.reject(error);

  test('without a key, is written, and nothing is looked for', async () => {
    const all = steps([line], written);
    expect(await onceByKey({ amountMicros: 5n, note: null }, all)).toBe('written');
    expect(all.find).not.toHaveBeenCalled();
  });

  test('is written once: what the key wrote before is given again', async () => {
    expect(await onceByKey(given, steps([undefined], written))).toBe('written');
    const again = steps([line], written);
    expect(await onceByKey(given, again)).toBe('replayed');
    expect(again.find).toHaveBeenCalledWith('k');
    expect(again.write).not.toHaveBeenCalled();
  });

  test.each([{ amountMicros: 6n }, { note: 'Autre' }, { note: null }])(
    'of another content, %o, conflicts',
    async (other) => {
      const all = steps([line], written);
      await expect(onceByKey({ ...given, ...other }, all)).rejects.toMatchObject({
        code: 'idempotency_conflict',
      });
      expect(all.write).not.toHaveBeenCalled();
    },
  );

  test.each([unique, new ServiceError('conflict')])(
    'that loses to the same request at the same moment, by %o, gives what the other wrote',
    async (lost) => {
      expect(await onceByKey(given, steps([undefined, line], failing(lost)))).toBe('replayed');
      await expect(onceByKey(given, steps([undefined, undefined], failing(lost)))).rejects.toBe(lost);
    },
  );

  test('fails as it failed when it was anything else', async () => {
    const fault = Object.assign(new Error('down'), { code: '57P01' });
    await expect(onceByKey(given, steps([undefined, line], failing(fault)))).rejects.toBe(fault);
  });
});
