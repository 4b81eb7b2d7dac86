const signs = new Intl.Segmenter('fr');

/**
 * A text in at most `length` UTF-16 code units, with an ellipsis inside where it was cut: between two signs as one reads them, never
 * within an accent or an emoji. In a browser; `shorten` of lib/brain/text/cut.ts ends after a word.
 */
export function cutShort(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = signs.segment(text).containing(length - 1)?.index ?? 0;
  return `${text.slice(0, end).trimEnd()}…`;
}
