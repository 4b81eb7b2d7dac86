import { expect, test } from 'vitest';
import { checkPaths } from '../../../scripts/reports/check-paths.ts';

test('every path that a document or a comment names exists', async () => {
  const { named, faults } = await checkPaths();
  expect(faults).toEqual([]);
  expect(named).toBeGreaterThan(500);
});
