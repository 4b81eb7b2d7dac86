/** A cell of a table: a text, or a number written for the reader. */
export type CsvCell = string | { number: string };

/**
 * One line of a CSV as French spreadsheets open it: semicolons, quotes where they must be (RFC 4180). A text that a spreadsheet
 * would run as a formula starts with an apostrophe; a number is written as it is, its sign included.
 */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(written).join(';')}\r\n`;
}

/** The first line: the columns' names, after the mark by which spreadsheets know UTF-8. */
export function csvHead(columns: readonly string[]): string {
  return `\ufeff${csvLine(columns)}`;
}

// In either width: spreadsheets take ＝ for =.
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

function written(cell: CsvCell): string {
  if (typeof cell !== 'string') return cell.number;
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
