/**
 * How a Memory enters the context: as a Markdown block quote, title and body, one `> ` per line. Nothing inside a quote can
 * leave it (headings, open code fences and HTML blocks all end with it), so neither passes for the
 * Space's structure, and a reader, human or model, sees where data starts and stops.
 */
const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;
const HAS_RARE_BREAK = /[\r\v\f\u0085\u2028\u2029]/;
const NOT_IN_A_LINE = /[\p{Cc}\u2028\u2029]+/gu;

/** The start of a quotation, on the line after the title. */
export const QUOTE_START = '\n> ';

/** Length of `\n> `, which replaces each line break of the body. */
export const BREAK_LENGTH = QUOTE_START.length;

/** `body` as quoted lines, starting with the line break that ends the title line. */
export function quote(body: string): string {
  if (HAS_RARE_BREAK.test(body)) return QUOTE_START + body.replace(LINE_BREAK, QUOTE_START);
  return QUOTE_START + (body.includes('\n') ? body.replaceAll('\n', QUOTE_START) : body);
}

/** `quote(body).length`, without building it. */
export function quotedLength(body: string): number {
  return BREAK_LENGTH + body.length + (HAS_RARE_BREAK.test(body) ? rareGrowth(body) : commonGrowth(body));
}

/**
 * The greatest index such that `quote(body.slice(0, index))` has at most `length` characters. Never inside a surrogate pair or CRLF; the caller
 * takes care of graphemes.
 */
export function fittingIndex(body: string, length: number): number {
  let budget = length - BREAK_LENGTH;
  let at = 0;
  const head = body.slice(0, Math.max(0, budget));
  for (const found of head.matchAll(LINE_BREAK)) {
    const before = found.index - at;
    if (before >= budget) break;
    budget -= before;
    at = found.index;
    if (budget < BREAK_LENGTH) return at;
    budget -= BREAK_LENGTH;
    at += found[0].length;
  }
  return Math.min(body.length, at + Math.max(0, budget));
}

/** `text` on one line, for a title or a name: control characters and line breaks become one space. */
export function oneLine(text: string): string {
  return text.replace(NOT_IN_A_LINE, ' ').trim();
}

function commonGrowth(body: string): number {
  let growth = 0;
  for (let at = body.indexOf('\n'); at !== -1; at = body.indexOf('\n', at + 1)) growth += BREAK_LENGTH - 1;
  return growth;
}

function rareGrowth(body: string): number {
  let growth = 0;
  for (const found of body.matchAll(LINE_BREAK)) growth += BREAK_LENGTH - found[0].length;
  return growth;
}
