import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine } from '#lib/core/csv.ts';

/** RFC 4180 read back, with semicolons. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^";\r\n]*))(;|\r\n)/g)) {
    rows.at(-1)?.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

test('any texts come back as they were, save the apostrophe of those that a spreadsheet would run', () => {
  const cell = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('=1+1', '+x', '-1', '@a', '\tb', '\r', 'a"b', 'l\nm'),
  );
  fc.assert(
    fc.property(
      fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { minLength: 1, maxLength: 5 }),
      (rows) => {
        const read = readCsv(rows.map(csvLine).join(''));
        expect(read).toEqual(
          rows.map((row) => row.map((text) => (/^[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text))),
        );
        for (const text of read.flat()) expect(text).not.toMatch(/^[=+\-@\t\r]/);
      },
    ),
  );
});

test('a number is written as it is, its sign included', () => {
  expect(csvLine([{ number: '12,500000' }, { number: '-0,030000' }, '-1', 'a;b'])).toBe(
    `12,500000;-0,030000;'-1;"a;b"\r\n`,
  );
});
