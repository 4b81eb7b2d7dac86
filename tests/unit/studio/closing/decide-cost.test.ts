import { describe, expect, test } from 'vitest';
import { type Cost, decideCost } from '#lib/studio/closing/decide-cost.ts';
import type { CostFacts } from '#lib/studio/generation/outcome.ts';

const HELD = 200_000n;
const cost = (facts: Partial<CostFacts>, heldMicros = HELD) =>
  decideCost({ formulaMicros: 100_000n, ...facts } as CostFacts, heldMicros);

describe('what the member is debited', () => {
  const table: [string, Partial<CostFacts>, Cost][] = [
    [
      'without a figure of the gateway: the formula',
      {},
      { costMicros: 100_000n, costSource: 'formula', divergentMicros: null },
    ],
    [
      'what was counted, when it was',
      { fromUsage: true },
      { costMicros: 100_000n, costSource: 'usage', divergentMicros: null },
    ],
    [
      'a negative figure is none',
      { gatewayMicros: -1n },
      { costMicros: 100_000n, costSource: 'formula', divergentMicros: null },
    ],
    [
      'a figure of nothing is one',
      { gatewayMicros: 0n },
      { costMicros: 0n, costSource: 'gateway', divergentMicros: 0n },
    ],
    [
      'the gateway’s figure before what was counted',
      { gatewayMicros: 110_000n, fromUsage: true },
      { costMicros: 110_000n, costSource: 'gateway', divergentMicros: null },
    ],
    [
      'twenty times what was held, still',
      { gatewayMicros: 4_000_000n },
      { costMicros: 4_000_000n, costSource: 'gateway', divergentMicros: 4_000_000n },
    ],
    [
      'one micro-dollar more: what was held, and no more',
      { gatewayMicros: 4_000_001n },
      { costMicros: HELD, costSource: 'reserve', divergentMicros: 4_000_001n },
    ],
  ];
  test.each(table)('%s', (_, facts, expected) => {
    expect(cost(facts)).toEqual(expected);
  });

  test('what the provider counted is believed no further than a figure: twenty times what was held, and 50 $US', () => {
    const counted = (formulaMicros: bigint, held = HELD, gatewayMicros?: bigint) =>
      cost(
        { formulaMicros, fromUsage: true, ...(gatewayMicros === undefined ? {} : { gatewayMicros }) },
        held,
      );
    expect(counted(4_000_000n)).toMatchObject({ costMicros: 4_000_000n, costSource: 'usage' });
    expect(counted(4_000_001n)).toEqual({
      costMicros: HELD,
      costSource: 'reserve',
      divergentMicros: 4_000_001n,
    });
    expect(counted(50_000_001n, 41_666_667n).costSource).toBe('reserve');
    expect(counted(50_000_001n, 41_666_668n).costSource).toBe('usage');
    // Nor does it explain a figure of the gateway that nothing else explains.
    expect(counted(30_000_000_000n, HELD, 30_000_000_000n)).toMatchObject({
      costMicros: HELD,
      costSource: 'reserve',
      divergentMicros: 30_000_000_000n,
    });
    expect(counted(30_000_000_000n, HELD, 210_000n)).toMatchObject({
      costMicros: 210_000n,
      costSource: 'gateway',
    });
    // A price of our own table is no count: what a file measures is what it costs.
    expect(cost({ formulaMicros: 9_000_000n })).toMatchObject({ costSource: 'formula' });
  });

  test('what is expected is the larger of the formula and of what was held', () => {
    expect(cost({ gatewayMicros: 2_000_000n }, 1n).costSource).toBe('gateway');
    expect(cost({ gatewayMicros: 2_000_001n }, 1n)).toMatchObject({ costSource: 'reserve', costMicros: 1n });
    expect(cost({ gatewayMicros: 4_000_000n }, 200_000n).costSource).toBe('gateway');
  });

  test('above 50 $US, a figure more than 20 % over what is expected is not believed either', () => {
    const large = (gatewayMicros: bigint, expected: bigint) =>
      cost({ gatewayMicros, formulaMicros: expected }, expected).costSource;
    expect(large(60_000_000n, 50_000_000n)).toBe('gateway');
    expect(large(60_000_001n, 50_000_000n)).toBe('reserve');
    // At 50 $US exactly, the formula need not explain it.
    expect(large(50_000_000n, 10_000_000n)).toBe('gateway');
    expect(large(50_000_001n, 10_000_000n)).toBe('reserve');
    expect(large(50_000_001n, 41_666_668n)).toBe('gateway');
  });
});
