import { expect, test } from 'vitest';
import { checkPaths } from '../../../scripts/reports/check-paths.ts';
import { projectFiles } from '../../../scripts/reports/project-files.ts';

test('every path that a document or a comment names exists', async () => {
  const { named, faults } = await checkPaths();
  expect(faults).toEqual([]);
  expect(named).toBeGreaterThan(500);
});

test('the published client’s documents are read too, and nothing that was installed or built', async () => {
  const files = await projectFiles();
  expect(files).toContain('packages/client/README.md');
  expect(files.filter((file) => /\/(?:node_modules|dist)\//.test(file))).toEqual([]);
});
