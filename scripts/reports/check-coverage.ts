import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { repositoryRoot } from '#lib/local/paths.ts';

// node scripts/reports/check-coverage.ts: fails when a page of docs names a test that does not exist.
export const PAGES = [
  'docs/coverage.md',
  'docs/security.md',
  'docs/faults/acceptance.md',
  'docs/faults/accounts.md',
  'docs/faults/providers.md',
  'docs/faults/search.md',
] as const;

export type Coverage = { rows: number; named: number; notShown: number; faults: string[] };

/** The rows of a page's tables whose last cell names tests (`` `tests/….test.ts`: name ``), and what is wrong with them. */
export async function readCoverage(page: string): Promise<Coverage> {
  const text = await readFile(path.join(repositoryRoot, page), 'utf8');
  const result: Coverage = { rows: 0, named: 0, notShown: 0, faults: [] };
  const sources = new Map<string, string | null>();
  for (const line of text.split('\n')) {
    const cells = /^\| (.+) \| (.+) \|$/.exec(line);
    if (!cells || cells[2] === 'Shown by') continue;
    result.rows += 1;
    for (const cell of (cells[2] as string).split('<br>')) {
      if (cell.startsWith('**not shown**: ')) {
        result.notShown += 1;
        continue;
      }
      const named = /^`(tests\/[\w/.-]+\.test\.ts)`: (.+)$/.exec(cell);
      if (!named) {
        result.faults.push(`${page}: « ${cells[1]} » names no test`);
        continue;
      }
      const [, file, name] = named as unknown as [string, string, string];
      if (!sources.has(file)) sources.set(file, await testSource(file));
      const source = sources.get(file);
      result.named += 1;
      if (source === null) result.faults.push(`${page}: ${file} does not exist`);
      else if (!namesTest(source ?? '', name)) result.faults.push(`${page}: ${file} has no test « ${name} »`);
    }
  }
  return result;
}

function testSource(file: string): Promise<string | null> {
  return readFile(path.join(repositoryRoot, file), 'utf8').then(
    (source) => source.replace(/\\(['"`])/g, '$1'),
    () => null,
  );
}

/** Whether the name stands in the file as the first argument of a call: quoted, right after an opening parenthesis. */
function namesTest(source: string, name: string): boolean {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`\\(\\s*(['"\`])${escaped}\\1`).test(source);
}

if (import.meta.main)
  for (const page of PAGES) {
    const { rows, named, notShown, faults } = await readCoverage(page);
    console.log(`${page}: ${rows} rows, ${named} tests named, ${notShown} not shown`);
    for (const fault of faults) console.error(`✗ ${fault}`);
    if (faults.length > 0) process.exitCode = 1;
  }
