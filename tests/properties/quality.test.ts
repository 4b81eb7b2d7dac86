import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pillarCoverage, spaceQuality } from '#lib/brain/quality.ts';

const memories = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 2000 })), { maxLength: 60 })
  .map((lengths) => lengths.map((bodyLength, i) => ({ id: `m${i}`, bodyLength })));

it('covers a pillar with five full Memories, and never beyond 100', () => {
  const full = (count: number) => Array.from({ length: count }, (_, i) => ({ id: `${i}`, bodyLength: 800 }));
  expect([0, 1, 2, 5, 9].map((count) => pillarCoverage(full(count)).quality)).toEqual([0, 20, 40, 100, 100]);
  expect(pillarCoverage([{ id: 'a', bodyLength: 5000 }]).quality).toBe(20);
});

it('shares exactly the quality among the Memories, each within one point of its exact share', () => {
  fc.assert(
    fc.property(memories, (rows) => {
      const { quality, contributions } = pillarCoverage(rows);
      const total = rows.reduce((sum, row) => sum + Math.min(800, row.bodyLength), 0);
      expect(quality).toBe(Math.min(100, Math.round(total / 40)));
      expect([...contributions.values()].reduce((sum, points) => sum + points, 0)).toBe(quality);
      for (const row of rows) {
        const exact = total === 0 ? 0 : (quality * Math.min(800, row.bodyLength)) / total;
        expect(Math.abs((contributions.get(row.id) as number) - exact)).toBeLessThan(1);
      }
    }),
  );
});

it('gives the same shares whatever the order of the rows', () => {
  fc.assert(
    fc.property(memories, fc.infiniteStream(fc.nat()), (rows, noise) => {
      const shuffled = rows
        .map((row) => ({ row, rank: noise.next().value as number }))
        .sort((a, b) => a.rank - b.rank)
        .map(({ row }) => row);
      const once = pillarCoverage(rows).contributions;
      for (const [id, points] of pillarCoverage(shuffled).contributions) expect(points).toBe(once.get(id));
    }),
  );
});

it('rounds the average of the five pillars', () => {
  expect(spaceQuality({ IDENTITY: 100, GUIDELINES: 100, KNOWLEDGE: 100, ITEMS: 100, PEOPLE: 100 })).toBe(100);
  expect(spaceQuality({ IDENTITY: 1, GUIDELINES: 1, KNOWLEDGE: 1, ITEMS: 0, PEOPLE: 0 })).toBe(1);
  expect(spaceQuality({ IDENTITY: 2, GUIDELINES: 0, KNOWLEDGE: 0, ITEMS: 0, PEOPLE: 0 })).toBe(0);
});

it('gives what is left to the largest remainders, and of equal ones to the smaller identifiers', () => {
  // Three of 700: 53 points, 17 each and two left.
  const equal = ['c', 'a', 'b'].map((id) => ({ id, bodyLength: 700 }));
  expect(pillarCoverage(equal)).toEqual({
    quality: 53,
    contributions: new Map([
      ['c', 17],
      ['a', 18],
      ['b', 18],
    ]),
  });
  // 100 and 700 characters: 20 points, of which 2.5 and 17.5.
  const unequal = [
    { id: 'b', bodyLength: 100 },
    { id: 'a', bodyLength: 700 },
  ];
  expect(pillarCoverage(unequal).contributions).toEqual(
    new Map([
      ['b', 2],
      ['a', 18],
    ]),
  );
  expect(pillarCoverage([])).toEqual({ quality: 0, contributions: new Map() });
  expect(pillarCoverage([{ id: 'a', bodyLength: 0 }])).toEqual({
    quality: 0,
    contributions: new Map([['a', 0]]),
  });
});
