/** Markup that an excerpt leaves out: for so many characters shown, this many times as many are read. */
const READ_FACTOR = 4;

/** The first words of a Markdown text, on one line, without its marks: `maxChars` at most, and an ellipsis. Linear, whatever the text. */
export function excerptOf(text: string, maxChars: number): string {
  const head = text
    .slice(0, READ_FACTOR * maxChars)
    // The blanks before a mark are those of its line: a run of line breaks would be read again from each of them.
    .replace(/^[^\S\r\n\u2028\u2029]*(?:#{1,6}|>|[-*+]|\d+\.)\s+/gm, '');
  // Past the last parenthesis no link ends: none is looked for.
  const linksEnd = head.lastIndexOf(')') + 1;
  const words = (head.slice(0, linksEnd).replace(/!?\[([^[\]]*)\]\([^)]*\)/g, '$1') + head.slice(linksEnd))
    .replace(/[*_`~|]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return words.length <= maxChars
    ? words
    : `${words.slice(0, maxChars).toWellFormed().replaceAll('\ufffd', '')}…`;
}
