import { expect, it } from 'vitest';
import { olderThan } from '#lib/storage/assets/older-than.ts';

it('a list goes on from a time that an index can begin at, and never passes the rows of that very time', () => {
  const createdAt = new Date('2026-11-10T03:40:00Z');
  expect(olderThan({ id: 'lsn_b', createdAt })).toEqual({
    createdAt: { lte: createdAt },
    OR: [{ createdAt: { lt: createdAt } }, { id: { lt: 'lsn_b' } }],
  });
  expect(olderThan(null)).toEqual({});
});
