import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../../../', import.meta.url);
const SUPPORTED = /@supports \(content: "" \/ ""\) \{\s*content:[^{}]*\}/g;
const SILENT = /content:[^;{}]*\/ "/g;

test('what is drawn and not read aloud is drawn too by a browser that knows no text beside it', () => {
  const sheets = globSync('app/**/*.css', { cwd: ROOT }).map((file) => [
    file,
    readFileSync(new URL(file, ROOT), 'utf8'),
  ]);
  expect(sheets.some(([, css]) => css?.match(SUPPORTED))).toBe(true);
  const alone = sheets.filter(([, css]) => css?.replace(SUPPORTED, '').match(SILENT));
  expect(alone.map(([file]) => file)).toEqual([]);
});
