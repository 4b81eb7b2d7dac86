import path from 'node:path';
import { expect, it } from 'vitest';
import { failureLine, failuresOf, lastLines, type TestReport } from '../../scripts/reports/failures.ts';

const ROOT = path.resolve('/clone');
type File = TestReport['testResults'][number];

const fileOf = (part: Partial<File>): File => ({
  name: path.join(ROOT, 'tests', 'unit', 'one.test.ts'),
  status: 'passed',
  message: '',
  assertionResults: [],
  ...part,
});

const resultOf = (title: string, status: string, ...failureMessages: string[]) => ({
  ancestorTitles: ['', 'the ledger'],
  title,
  status,
  failureMessages,
});

const linesOf = (...testResults: File[]) => failuresOf({ numPassedTests: 0, testResults }, ROOT);

it('each test that failed is one line: its file, its full name, the first line of why', () => {
  const message = '\u001b[31mAssertionError\u001b[39m: expected 1 to be 2\n    at one.test.ts:4:5';
  expect(
    linesOf(
      fileOf({
        status: 'failed',
        assertionResults: [
          resultOf('sums', 'passed'),
          resultOf('closes', 'failed', message, 'Error: a second one'),
          resultOf('is cut\n  in two', 'failed'),
          resultOf('waits', 'skipped'),
        ],
      }),
      fileOf({ assertionResults: [resultOf('sums', 'passed')] }),
    ),
  ).toEqual([
    'tests/unit/one.test.ts > the ledger > closes: AssertionError: expected 1 to be 2',
    'tests/unit/one.test.ts > the ledger > is cut in two: no message',
  ]);
});

it('a file that failed by itself is one line, whether its tests could be read or not', () => {
  expect(
    linesOf(
      fileOf({ status: 'failed', message: '\nCannot find module ‘./gone.ts’\nRequire stack:' }),
      fileOf({
        status: 'failed',
        message: 'Error: no database',
        assertionResults: [resultOf('sums', 'skipped')],
      }),
    ),
  ).toEqual([
    'tests/unit/one.test.ts: Cannot find module ‘./gone.ts’',
    'tests/unit/one.test.ts: Error: no database',
  ]);
});

it('a check that failed is one line, cut where it is too long', () => {
  expect(failureLine('types', 'app/page.tsx(3,5): error TS2322\napp/page.tsx(9,1): error')).toBe(
    'types: app/page.tsx(3,5): error TS2322',
  );
  expect(failureLine('lint', 'x'.repeat(1000))).toBe(`lint: ${'x'.repeat(200)}…`);
});

it('the last lines name fifty failures, then how many more there are', () => {
  const failures = Array.from({ length: 52 }, (_, at) => `test ${at}`);
  expect(lastLines([])).toEqual([]);
  expect(lastLines(failures.slice(0, 50))).toEqual(failures.slice(0, 50).map((line) => `✗ ${line}`));
  expect(lastLines(failures).slice(-2)).toEqual(['✗ test 49', '✗ and 2 more, named above']);
  expect(lastLines(failures)).toHaveLength(51);
});
