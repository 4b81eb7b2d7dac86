import { expect, test } from 'vitest';
import { type HistoryPage, joinHistory } from '#app/(cockpit)/espaces/[id]/_memory/join-history.ts';

const page = (from: number, to: number): HistoryPage => ({
  revisions: Array.from({ length: from - to + 1 }, (_, index) => ({
    version: from - index,
    change: 'EDITED' as const,
    title: 'Ton',
    at: new Date('2026-11-21T10:00:00Z'),
    by: 'Claire',
  })),
  more: to > 1,
});
const versions = ({ revisions }: HistoryPage) => revisions.map(({ version }) => version);

test('earlier versions follow the last one shown', () => {
  const joined = joinHistory(page(6, 4), page(3, 1), 4);
  expect([versions(joined), joined.more]).toEqual([[6, 5, 4, 3, 2, 1], false]);
});

test('earlier versions that cross a new one leave no entry out: they are read again after it', () => {
  // Versions before 4 were requested before version 7 changed the first page.
  const shown = joinHistory(page(6, 4), page(7, 5));
  const crossed = joinHistory(shown, page(3, 1), 4);
  expect([versions(crossed), crossed.more]).toEqual([[7, 6, 5], true]);
  expect(versions(joinHistory(crossed, page(4, 1), 5))).toEqual([7, 6, 5, 4, 3, 2, 1]);
});

test('a first page that was read before the one shown does not take its place', () => {
  expect(versions(joinHistory(page(7, 5), page(6, 4)))).toEqual([7, 6, 5]);
  expect(versions(joinHistory(page(6, 4), page(7, 5)))).toEqual([7, 6, 5]);
  expect(versions(joinHistory(null, page(6, 4)))).toEqual([6, 5, 4]);
});
