import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readJson } from '#lib/local/files.ts';
import { repositoryRoot, testFolder } from '#lib/local/paths.ts';

type Report = {
  testResults: { assertionResults: { title: string; status: string; failureMessages: string[] }[] }[];
};

it('a browser that dies is named in the report with its signal, and the next test of the file has another', async () => {
  const folder = await mkdtemp(path.join(testFolder(), 'dying-'));
  const file = path.join(folder, 'report.json');
  await new Promise<void>((resolve) => {
    execFile(
      process.execPath,
      [
        path.join(repositoryRoot, 'node_modules/vitest/vitest.mjs'),
        'run',
        '--config=tests/fixtures/dying-browser/vitest.config.ts',
        '--reporter=json',
        `--outputFile=${file}`,
      ],
      { cwd: repositoryRoot },
      () => resolve(),
    );
  });
  const report = await readJson<Report>(file);
  await rm(folder, { recursive: true });
  const [lost, after] = report?.testResults[0]?.assertionResults ?? [];
  expect(lost).toMatchObject({ title: 'loses its browser', status: 'failed' });
  expect(lost?.failureMessages.join('\n')).toContain('The browser died: SIGTRAP');
  expect(after).toMatchObject({ title: 'comes after', status: 'passed' });
});
