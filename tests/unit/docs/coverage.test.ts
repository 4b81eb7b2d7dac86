import { describe, expect, it } from 'vitest';
import { PAGES, readCoverage } from '../../../scripts/reports/check-coverage.ts';

describe('the pages that say what is shown', () => {
  it.each(PAGES)('%s names only tests that exist', async (page) => {
    const { rows, named, faults } = await readCoverage(page);
    expect(faults).toEqual([]);
    expect([rows, named].every((count) => count > 15)).toBe(true);
  });
});
