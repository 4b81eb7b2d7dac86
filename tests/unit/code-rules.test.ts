import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '#lib/local/paths.ts';

// Rules of AGENTS.md that our linters do not check.
const sources = globSync('lib/**/*.ts', { cwd: repositoryRoot })
  .map((file) => file.split(path.sep).join('/'))
  .filter((file) => !file.startsWith('lib/db/generated/'))
  .map((file) => ({ file, text: readFileSync(path.join(repositoryRoot, file), 'utf8') }));

/** The functions that a text exports without a docstring before them. */
const undocumented = (text: string) =>
  [...text.matchAll(/^export (?:async )?function\*? *(\w+)/gm)].flatMap(({ 1: name, index }) =>
    text.slice(0, index).trimEnd().endsWith('*/') ? [] : [name],
  );

/** Reads of the machine's clock or of randomness. */
const READS_TIME = /\bDate\.now\(\)|\bnew Date\(\)|\bMath\.random\(\)/;
const PARTS = ['brain', 'identity', 'ledger', 'mcp', 'oauth', 'products', 'storage', 'studio', 'webhooks'];
/** Stores, whose answers carry the store's own time. */
const STORES = new Set(['lib/storage/file-store.ts', 'lib/storage/stores/s3-store.ts']);
const readsTime = (text: string) =>
  text.split('\n').some((line) => !/^\s*(?:\/\/|\/?\*)/.test(line) && READS_TIME.test(line));

test('every function that lib exports has a docstring', () => {
  expect(sources.length).toBeGreaterThan(900);
  const missing = sources.flatMap(({ file, text }) => undocumented(text).map((name) => `${file}: ${name}`));
  expect(missing).toEqual([]);
  expect(undocumented('/** Said. */\nexport function one() {}\n\nexport async function two() {}\n')).toEqual([
    'two',
  ]);
});

/** « About 300 lines per file and 15 files per folder » (AGENTS.md) allows no more than this. */
const MOST_LINES = 330;
const MOST_FILES = 18;
/** Folders with more files on purpose (docs/decisions/0009-folders.md). */
const FLAT: Readonly<Record<string, number>> = { 'app/_ui': 22 };

test('files stay near 300 lines, and folders near 15 files', () => {
  const files = globSync('{app,lib}/**/*.{ts,tsx}', { cwd: repositoryRoot })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => !file.startsWith('lib/db/generated/'));
  expect(files.length).toBeGreaterThan(1_300);
  const long = files
    .map((file) => ({ file, text: readFileSync(path.join(repositoryRoot, file), 'utf8') }))
    .filter(({ text }) => text.split('\n').length > MOST_LINES);
  expect(long.map(({ file }) => file)).toEqual([]);
  const folders = Map.groupBy(files, (file) => path.posix.dirname(file));
  const full = [...folders].filter(([folder, { length }]) => length > (FLAT[folder] ?? MOST_FILES));
  expect(full.map(([folder, { length }]) => `${folder}: ${length}`)).toEqual([]);
});

test('time and chance are inputs: no verb reads the clock of the machine', () => {
  const parts = sources.filter(({ file }) => PARTS.some((part) => file.startsWith(`lib/${part}/`)));
  expect(parts.length).toBeGreaterThan(500);
  const wrong = parts.filter(({ file, text }) => !STORES.has(file) && readsTime(text));
  expect(wrong.map(({ file }) => file)).toEqual([]);
  expect(['const at = new Date();', 'x(Date.now())'].map(readsTime)).toEqual([true, true]);
  expect(readsTime('/** No `Date.now()` here. */')).toBe(false);
});
