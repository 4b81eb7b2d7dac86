import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** What is read of the report that vitest writes as JSON. */
export type TestReport = {
  numPassedTests: number;
  testResults: {
    /** The file, by its absolute path. */
    name: string;
    status: string;
    /** What the file itself failed with: it could not be read, or its `beforeAll` threw. */
    message: string;
    assertionResults: {
      ancestorTitles: string[];
      title: string;
      status: string;
      failureMessages: string[];
    }[];
  }[];
};

const MOST_LINES = 50;
const REASON_LENGTH = 200;

const onOneLine = (text: string) => text.replace(/\s*[\r\n]+\s*/g, ' ');

/** What failed, and the first line of why, on one line. */
export function failureLine(what: string, why: string): string {
  const lines = stripVTControlCharacters(why).split(/[\r\n]+/);
  const first = lines.map((line) => line.trim()).find((line) => line !== '') ?? 'no message';
  const reason = first.length > REASON_LENGTH ? `${first.slice(0, REASON_LENGTH)}…` : first;
  return `${onOneLine(what)}: ${reason}`;
}

/** One line for each test that failed, and for each file that failed by itself; files are named from `root`. */
export function failuresOf({ testResults }: TestReport, root: string): string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = path.relative(root, name).split(path.sep).join('/');
    const failed = assertionResults.filter((one) => one.status === 'failed');
    if (failed.length === 0) return status === 'failed' ? [failureLine(file, message)] : [];
    return failed.map(({ ancestorTitles, title, failureMessages }) =>
      failureLine(
        [file, ...ancestorTitles, title].filter((part) => part !== '').join(' > '),
        failureMessages[0] ?? '',
      ),
    );
  });
}

/** What to print just before the count: a record that keeps only its end still names what failed. */
export function lastLines(failures: readonly string[]): string[] {
  const shown = failures.slice(0, MOST_LINES).map((line) => `✗ ${line}`);
  return failures.length > MOST_LINES
    ? [...shown, `✗ and ${failures.length - MOST_LINES} more, named above`]
    : shown;
}
