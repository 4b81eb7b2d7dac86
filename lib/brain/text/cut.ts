/** What marks a shortened text; it counts inside the room given. */
export const ELLIPSIS = '…';
/** An ellipsis after the end of a sentence stands apart from its mark: « deux fois. … ». */
const APART = `\u00a0${ELLIPSIS}`;
const ENDS_SENTENCE = /[.!?…]$/;
/** What `leftOff` adds at most. */
export const LEFT_OFF = APART.length;

/** A text with an ellipsis where it goes on. */
export function leftOff(text: string): string {
  return text + (ENDS_SENTENCE.test(text) ? APART : ELLIPSIS);
}

/** How far back from the last character that fits a word boundary is looked for. */
const WORD_REACH = 32;

const graphemes = new Intl.Segmenter('fr', { granularity: 'grapheme' });

/**
 * The greatest grapheme boundary of `text` at or before `index`. The segmenter only reads from the nearest place before
 * `index` that is a boundary for sure, so ordinary text costs nothing and no text costs more than `index`.
 */
function graphemeFloor(text: string, index: number): number {
  if (index <= 0) return 0;
  if (index >= text.length) return text.length;
  if (isSureBoundary(text, index)) return index;
  let start = index - 1;
  while (start > 0 && !isSureBoundary(text, start)) start--;
  const window = text.slice(start, index + 2);
  const segment = graphemes.segment(window).containing(index - start);
  return start + (segment?.index ?? 0);
}

export type Boundary = 'word' | 'grapheme';

/**
 * Where to cut `text` at or before `index`: at the end of a word when one ends within `reach`, else between two
 * graphemes. 0 when not even the first grapheme fits.
 */
export function cutAt(
  text: string,
  index: number,
  reach: number = WORD_REACH,
): { at: number; boundary: Boundary } {
  const hard = graphemeFloor(text, index);
  if (hard >= text.length) return { at: text.length, boundary: 'word' };
  const lowest = Math.max(0, hard - Math.min(reach, WORD_REACH, hard >> 1));
  for (let at = hard; at > lowest; at--) {
    if (!partsWords(text, at) && !partsWords(text, at - 1)) continue;
    const end = trimEnd(text, at);
    if (end >= lowest && graphemeFloor(text, end) === end) return { at: end, boundary: 'word' };
    break;
  }
  return { at: hard, boundary: 'grapheme' };
}

/** `text` in at most `length` UTF-16 code units, with an ellipsis inside when it was shortened. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  if (length < ELLIPSIS.length) return '';
  return text.slice(0, cutAt(text, length - ELLIPSIS.length).at) + ELLIPSIS;
}

/**
 * Whether what stands at `at` parts two words: a space that may end a line, and none between the groups of a number (`1 200 €`), of which a
 * part would be another number.
 */
export function partsWords(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (!isSpace(unit) || unit === 0xa0 || unit === 0x2007 || unit === 0x202f) return false;
  return !isDigit(text.charCodeAt(at - 1)) || !isDigit(text.charCodeAt(at + 1));
}

const isDigit = (unit: number) => unit >= 0x30 && unit <= 0x39;

function trimEnd(text: string, end: number): number {
  let at = end;
  while (at > 0 && isSpace(text.charCodeAt(at - 1))) at--;
  return at;
}

function isSpace(unit: number): boolean {
  return (
    unit === 0x20 ||
    (unit >= 0x09 && unit <= 0x0d) ||
    unit === 0xa0 ||
    unit === 0x85 ||
    (unit >= 0x2000 && unit <= 0x200a) ||
    unit === 0x2028 ||
    unit === 0x2029 ||
    unit === 0x202f ||
    unit === 0x3000
  );
}

/** Whether a grapheme surely starts at `index`, told from the two code units around it alone. */
function isSureBoundary(text: string, index: number): boolean {
  const next = text.charCodeAt(index);
  const previous = text.charCodeAt(index - 1);
  if (next < 0x80 && previous < 0x80) return next !== 0x0a || previous !== 0x0d;
  return standsAlone(next) && standsAlone(previous);
}

/**
 * Code units that neither extend what precedes nor attract what follows (Grapheme_Cluster_Break = Other or Control, and not pictographic),
 * so that two of them in a row always part. Deliberately incomplete: what is not listed goes to the segmenter.
 */
function standsAlone(unit: number): boolean {
  if (unit < 0x300) return unit !== 0xa9 && unit !== 0xae && unit !== 0x0a && unit !== 0x0d;
  return (
    (unit >= 0x391 && unit <= 0x3c9) ||
    (unit >= 0x400 && unit <= 0x481) ||
    (unit >= 0x620 && unit <= 0x64a) ||
    (unit >= 0x2010 && unit <= 0x2027) ||
    (unit >= 0x3001 && unit <= 0x3029) ||
    (unit >= 0x3041 && unit <= 0x3096) ||
    (unit >= 0x30a1 && unit <= 0x30fa) ||
    (unit >= 0x4e00 && unit <= 0x9fff) ||
    (unit >= 0xac00 && unit <= 0xd7a3)
  );
}
