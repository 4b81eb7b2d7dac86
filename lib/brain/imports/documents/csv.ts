import { leftOutSentence } from '../parse/left-out.ts';
import { withLineFeeds } from '../parse/text.ts';
import type { Parsed } from '../parse/types.ts';
import { tableOf } from './table.ts';

/** Columns beyond these are a data set, which no Memory is. */
const MAX_COLUMNS = 100;
const MAX_ROWS = 20_000;
/** A longer table is several, each under the same head: it is divided between Memories, and rows without the names of their columns say nothing. */
const TABLE_CHARS = 40_000;

/**
 * A CSV file (RFC 4180; separated by comma, semicolon, tab or bar, whichever most of its first lines hold) as a Markdown table. Rows without text
 * and columns without values are left out, and those columns are named. Refuses, in French, an empty file, more than 100 columns, or more than
 * 20,000 rows with text. One linear pass.
 */
export function parseCsv(text: string): Parsed<{ text: string; leftOut?: readonly string[] }> {
  const plain = text.replace(/^\ufeff/, '');
  const said = rowsOf(withLineFeeds(plain));
  if (said === null)
    return { ok: false, reason: `Ce tableau dépasse ${MAX_ROWS.toLocaleString('fr-FR')} lignes.` };
  if (said.length === 0) return { ok: false, reason: 'Ce fichier est vide.' };
  // A column of which only the head says something says nothing.
  const values = said.length > 1 ? said.slice(1) : said;
  const filled = new Set<number>();
  for (const cells of values)
    for (const [at, cell] of cells.entries()) if (cell.trim() !== '') filled.add(at);
  if (filled.size > MAX_COLUMNS) return { ok: false, reason: `Ce tableau dépasse ${MAX_COLUMNS} colonnes.` };
  const kept = [...filled].sort((a, b) => a - b);
  const [head = [], ...rest] = said.map((cells) => kept.map((at) => cells[at] ?? ''));
  const written = tablesOf(head, rest).join('\n\n');
  const unfilled = (said[0] ?? []).filter((name, at) => name.trim() !== '' && !filled.has(at));
  if (unfilled.length === 0) return { ok: true, text: written };
  const leftOut = [leftOutSentence('Colonnes sans valeur laissées de côté', unfilled)];
  return { ok: true, text: written, leftOut };
}

function tablesOf(head: readonly string[], rows: readonly string[][]): string[] {
  const tables: string[] = [];
  let some: string[][] = [];
  let chars = 0;
  for (const row of rows) {
    const own = row.reduce((sum, cell) => sum + cell.length + 3, 0);
    if (some.length > 0 && chars + own > TABLE_CHARS) {
      tables.push(tableOf([head, ...some]));
      some = [];
      chars = 0;
    }
    some.push(row);
    chars += own;
  }
  return [...tables, tableOf([head, ...some])];
}

/** The line by which a file tells Excel its separator. */
const SAID_SEPARATOR = /^sep=(.)\r?\n/i;

/** Characters in which the separator is looked for. */
const SAMPLE = 4_000;

/**
 * The separator of a file. A title may precede the column names, which may hold line breaks in quotes, so that several lines are compared.
 * Between signs found in as many lines, the one with the most constant count wins, as columns have; failing that, a comma is taken for the
 * decimal sign of French numbers.
 */
function separatorOf(text: string): string {
  const outside = text.slice(0, SAMPLE).replace(/"[^"]*(?:"|$)/g, '');
  const lines = outside.split('\n');
  // The last one is cut: it may hold more of them.
  if (text.length > SAMPLE && lines.length > 1) lines.pop();
  const held = (sign: string) => {
    const counts = lines.map((line) => line.split(sign).length - 1).filter((count) => count > 0);
    const alike = [...Map.groupBy(counts, (count) => count).values()].map(({ length }) => length);
    return { lines: counts.length, alike: Math.max(0, ...alike) };
  };
  let best = { sign: ';', ...held(';') };
  for (const sign of ['\t', ',', '|']) {
    const other = { sign, ...held(sign) };
    const isAsCommon = other.lines === best.lines && other.alike > best.alike;
    if (other.lines > best.lines || isAsCommon) best = other;
  }
  return best.sign;
}

/** The rows that say something; null when they are too many. Spreadsheets write a line of separators for each row that was once touched. */
function rowsOf(text: string): string[][] | null {
  const said = SAID_SEPARATOR.exec(text);
  const separator = said?.[1] ?? separatorOf(text);
  const rows: string[][] = [];
  let row: string[] = [];
  const keep = () => {
    if (row.some((cell) => cell.trim() !== '')) rows.push(row);
    row = [];
  };
  let at = said?.[0].length ?? 0;
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      for (at += 1; at < text.length; ) {
        const quote = text.indexOf('"', at);
        cell += text.slice(at, quote === -1 ? text.length : quote);
        at = quote === -1 ? text.length : quote + 1;
        if (text[at] !== '"') break;
        cell += '"';
        at += 1;
      }
    }
    const from = at;
    while (at < text.length && text[at] !== separator && text[at] !== '\n') at += 1;
    row.push(cell + text.slice(from, at).replace(/\r$/, ''));
    if (text[at] === separator) {
      at += 1;
      // A separator at the very end opens a last, empty cell: nothing to say.
      continue;
    }
    at += 1;
    keep();
    if (rows.length > MAX_ROWS) return null;
  }
  keep();
  return rows;
}
