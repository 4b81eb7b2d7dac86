import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { readCount, readOptions } from '#lib/local/options.ts';
import { repositoryRoot } from '#lib/local/paths.ts';
import { FOLDERS } from '../../tests/mutation/folders.ts';
import { type Mutant, scoreOf } from '../../tests/mutation/score.ts';

// npm run mutate [-- <folder>… --fresh --workers 1]: changes the code that decides, one piece at a time, and runs the tests that should
// notice. Prints the changes that none noticed, and of each folder: killed (of those, runs without end), survived, equivalent, run by no
// test, score; fails under 90 % (docs/testing.md). What did not change since is not run again.
const { values, positionals } = readOptions(
  `npm run mutate [-- <folder>… --fresh --workers 1] (${Object.keys(FOLDERS).join(', ')})`,
  {
    options: { fresh: { type: 'boolean' }, workers: { type: 'string', default: '2' } },
    allowPositionals: true,
  },
);
const LEAST_PERCENT = 90;
const workers = readCount('workers', values.workers);
const named = positionals.length > 0 ? positionals : Object.keys(FOLDERS);
const unknown = named.find((name) => !FOLDERS[name]);
if (unknown) {
  console.error(`No such folder: ${unknown}. There are ${Object.keys(FOLDERS).join(', ')}.`);
  process.exit(2);
}

process.chdir(repositoryRoot);
let isBelow = false;
for (const name of named) {
  const score = scoreOf(await mutate(name));
  for (const { file, line, original, replacement } of [...score.survived, ...score.uncovered])
    console.log(`${file}:${line}\n  - ${original}\n  + ${replacement}`);
  const { killed, endless, survived, uncovered, equivalent, percent } = score;
  console.log(
    `| ${name} | ${killed} (${endless}) | ${survived.length} | ${equivalent} | ${uncovered.length} | ${percent.toFixed(1)} % |`,
  );
  isBelow ||= percent < LEAST_PERCENT;
}
process.exitCode = isBelow ? 1 : 0;

/** Runs Stryker on one folder; its report stays in `.tmp/mutation`. */
async function mutate(name: string): Promise<Mutant[]> {
  process.env.ATELIER_MUTATE = name;
  const report = `.tmp/mutation/${name}.json`;
  await new Stryker({
    mutate: FOLDERS[name]?.mutate ?? [],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'tests/mutation/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    // A run without end counts as noticed: on a busy machine, one that is only slow must not.
    timeoutMS: 10_000,
    timeoutFactor: 4,
    concurrency: workers,
    // A word of a sentence is what the catalogues and the pages test; here it is the decisions.
    ignoreStatic: true,
    incremental: true,
    incrementalFile: `.tmp/mutation/${name}.incremental.json`,
    force: values.fresh ?? false,
    reporters: ['json'],
    jsonReporter: { fileName: report },
    // TypeScript 7 has no interface for its configuration: nothing of it has to be rewritten here.
    tsconfigFile: 'none',
    ignorePatterns: ['.next', '.tmp', '.data', 'packages/*/dist', 'tests/e2e/screenshots'],
    tempDirName: '.tmp/stryker',
    logLevel: 'warn',
  } as ConstructorParameters<typeof Stryker>[0]).runMutationTest();
  const { files } = JSON.parse(await readFile(path.join(repositoryRoot, report), 'utf8')) as {
    files: Record<string, { source: string; mutants: ReportedMutant[] }>;
  };
  return Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.map((one) => ({
      file,
      line: one.location.start.line,
      status: one.status,
      original: cut(source, one.location),
      replacement: one.replacement ?? '',
    })),
  );
}

type Place = { line: number; column: number };
type ReportedMutant = { status: string; replacement?: string; location: { start: Place; end: Place } };

/** The text between two places of a source, counted from one. */
function cut(source: string, { start, end }: { start: Place; end: Place }): string {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  lines[lines.length - 1] = (lines.at(-1) ?? '').slice(0, end.column - 1);
  lines[0] = (lines[0] ?? '').slice(start.column - 1);
  return lines.join('\n');
}
