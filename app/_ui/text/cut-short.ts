const signs = new Intl.Segmenter('fr');

/**
 * A text shortened to at most `length` UTF-16 code units, the ellipsis included. It is cut between two graphemes, never within an accent or an emoji.
 * For browsers; `shorten` of lib/brain/text/cut.ts cuts after a word.
 */
export function cutShort(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = signs.segment(text).containing(length - 1)?.index ?? 0;
  return `${text.slice(0, end).trimEnd()}…`;
}
