import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { shortTitle } from '#app/_studio/title.ts';
import { cutShort } from '#app/_ui/text/cut-short.ts';
import { repositoryRoot } from '#lib/local/paths.ts';

const FAMILY = '👨‍👩‍👧';

test('a text that is cut ends with an ellipsis within its room, and no sign of it is halved', () => {
  expect(cutShort('Bougie ambrée', 13)).toBe('Bougie ambrée');
  expect(cutShort('Bougie ambrée', 12)).toBe('Bougie ambr…');
  expect(cutShort('Bougie ambrée', 8)).toBe('Bougie…');
  for (let room = 3; room < 10; room++) expect(cutShort(`aa${FAMILY}bb`, room)).toBe('aa…');
  expect(cutShort(`aa${FAMILY}bb`, 11)).toBe(`aa${FAMILY}…`);
  expect(cutShort('e\u0301e\u0301e\u0301', 4)).toBe('e\u0301…');
});

test('a title that is heard is cut between two characters, and an accent stays with its letter', () => {
  expect(shortTitle('x'.repeat(80))).toBe('x'.repeat(80));
  expect(shortTitle('x'.repeat(81))).toBe(`${'x'.repeat(80)}…`);
  expect(shortTitle('🕯🕯🕯', 2)).toBe('🕯🕯…');
  expect(shortTitle('ae\u0301\nb', 2)).toBe('ae\u0301…');
});

/** Cuts by code units in texts that people read: `slice` may halve an emoji. */
const RAW_CUT =
  /\.slice\(0, \d+\)(?:\.trimEnd\(\))?\}…|(?:titleOf\(\w+\)|\b(?:title|name|label))\.slice\(0, \d+\)/;

test('no page cuts by code units what people read', () => {
  const raw = globSync('app/**/*.{ts,tsx}', { cwd: repositoryRoot }).filter((file) =>
    RAW_CUT.test(readFileSync(path.join(repositoryRoot, file), 'utf8')),
  );
  expect(raw).toEqual([]);
  expect(RAW_CUT.test('titleOf(row).slice(0, 80)')).toBe(true);
});
