import type { Parsed } from '../parse/types.ts';
import { tableOf } from './table.ts';

/** Columns beyond these are a data set, which no Memory is. */
const MAX_COLUMNS = 100;
const MAX_ROWS = 20_000;

/**
 * A CSV file (RFC 4180; comma, semicolon or tab, whichever its first line has most) as a Markdown table: rows without text and columns without values are left out. Refuses, in French, what is empty,
 * of more than 100 columns or 20,000 rows. One pass over the text, whatever it is.
 */
export function parseCsv(text: string): Parsed<{ text: string }> {
  const rows = rowsOf(text.replace(/^\ufeff/, ''));
  if (rows === null) return { ok: false, reason: `Ce tableau dépasse ${MAX_ROWS} lignes.` };
  const said = rows.filter((cells) => cells.some((cell) => cell.trim() !== ''));
  if (said.length === 0) return { ok: false, reason: 'Ce fichier est vide.' };
  // A column of which only the head says something says nothing.
  const values = said.length > 1 ? said.slice(1) : said;
  const filled = new Set<number>();
  for (const cells of values)
    for (const [at, cell] of cells.entries()) if (cell.trim() !== '') filled.add(at);
  if (filled.size > MAX_COLUMNS) return { ok: false, reason: `Ce tableau dépasse ${MAX_COLUMNS} colonnes.` };
  const kept = [...filled].sort((a, b) => a - b);
  return { ok: true, text: tableOf(said.map((cells) => kept.map((at) => cells[at] ?? ''))) };
}

function separatorOf(text: string): string {
  const line = text.slice(0, 4_000).split('\n', 1)[0] ?? '';
  const count = (sign: string) => line.split(sign).length;
  return [';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best), ',');
}

function rowsOf(text: string): string[][] | null {
  const separator = separatorOf(text);
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
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
    rows.push(row);
    if (rows.length > MAX_ROWS) return null;
    row = [];
  }
  if (row.length > 0) rows.push(row);
  return rows;
}
