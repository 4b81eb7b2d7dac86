import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvHead, csvLine } from '#lib/core/text/csv.ts';

/** The cells that a reader of RFC 4180 finds in one line. */
function read(line: string): string[] {
  const cells: string[] = [];
  let rest = `;${line}`;
  while (rest.startsWith(';')) {
    const quoted = /^;"((?:[^"]|"")*)"/.exec(rest);
    const found = quoted ?? /^;([^;]*)/.exec(rest);
    const text = found?.[1] ?? '';
    cells.push(quoted ? text.replaceAll('""', '"') : text);
    rest = rest.slice(found?.[0].length);
  }
  return cells;
}

test('any texts come back as they were written, but for the apostrophe that keeps a formula from running', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 6 }), (cells) => {
      const line = csvLine(cells);
      expect(line.endsWith('\r\n')).toBe(true);
      expect(read(line.slice(0, -2))).toEqual(
        cells.map((cell) => (/^[=+\-@\t\r\n＝＋－＠]/.test(cell) ? `'${cell}` : cell)),
      );
    }),
  );
});

test('no cell that a member wrote begins a formula, in either width; a negative amount stays a number', () => {
  for (const start of ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])
    expect(csvLine([`${start}1+1`])).toMatch(/^"?'/);
  expect(csvLine([{ number: '-0,5' }, 'x'])).toBe('-0,5;x\r\n');
  expect(csvHead(['Date', 'Note'])).toBe('\ufeffDate;Note\r\n');
});
