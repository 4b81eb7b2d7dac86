import { expect, test } from 'vitest';
import { readTour } from '../../../scripts/reports/check-tour.ts';

test('every file of docs/tour.md exists, and is an entry point or imported by a file before it', async () => {
  const { walks, faults } = await readTour();
  expect(faults).toEqual([]);
  expect(walks.map(({ steps }) => steps.length > 4)).toEqual(Array(5).fill(true));
});
