import { cutAt } from './cut.ts';

/** The part of a text that begins at the character at `from`, of at most `maxChars` units, and where the next one does: null after the last. */
export function partOf(
  text: string,
  from: number,
  maxChars: number,
): { body: string; bodyChars: number; nextFrom: number | null } {
  const start = characterStart(text, from);
  const end = endOf(text, start, maxChars);
  return {
    body: text.slice(start, end),
    bodyChars: text.length,
    nextFrom: end < text.length ? end : null,
  };
}

/** The start of the character at `index`, never between its two halves; the end of the text past it. */
function characterStart(body: string, index: number): number {
  const unit = body.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff ? Math.max(0, index - 1) : Math.min(index, body.length);
}

/**
 * Where a part of at most `length` units ends: at a word, or between two characters as they are read; between two code points of one that is
 * longer than a part. Each part goes further than the one before.
 */
function endOf(body: string, start: number, length: number): number {
  const most = Math.min(start + length, body.length);
  const { at } = cutAt(body, most);
  return at > start ? at : characterStart(body, most);
}
