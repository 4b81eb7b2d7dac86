import { MAX_TITLE_LENGTH } from '../limits.ts';
import { withoutBlankStart } from './blank-lines.ts';
import { cutAt, shorten } from './cut.ts';
import { type Heading, headingsOf, linesOf } from './headings.ts';
import { jsonBytes } from './json-bytes.ts';
import { cleanTitle, isSaidByTitle } from './titles.ts';

/** Between the title of a part and that of a part in it. */
const SEPARATOR = ' › ';
/** Characters of an outer title that still say something. */
const MIN_OUTER = 20;

export type Part = {
  title: string;
  body: string;
  /** Text from which the part's anchor is made. */
  heading: string;
};

/**
 * Splits a Markdown text at its top-level headings into an introduction and parts, each within `maxBytes` of JSON string. A
 * part beyond that is split at the next level of heading, then between paragraphs, then hard between graphemes.
 */
export function splitMarkdown(text: string, maxBytes: number): { intro: string; parts: Part[] } {
  const headings = headingsOf(text);
  const level = splitLevel(headings);
  const marks = headings.filter((heading) => heading.level === level);
  const intro = text.slice(0, marks[0]?.start ?? text.length);
  const parts = marks.flatMap((mark, i) =>
    fitPart(
      {
        title: mark.text,
        heading: mark.text,
        body: headingLeft(text, mark) + text.slice(mark.end, marks[i + 1]?.start ?? text.length),
      },
      maxBytes,
    ),
  );
  const [first = '', ...rest] = chunks(intro, maxBytes);
  return {
    intro: first,
    parts: [
      ...rest.map((body, i) => ({ title: `(suite ${i + 1})`, heading: `suite-${i + 1}`, body })),
      ...parts,
    ],
  };
}

/** Cuts `text` into pieces within `maxBytes`: between paragraphs, else lines, else words, else graphemes. Loses only blank edges. */
export function chunks(text: string, maxBytes: number): string[] {
  if (jsonBytes(text) <= maxBytes) return [trimBlank(text)];
  const pieces: string[] = [];
  let current = '';
  let size = 0;
  const close = () => {
    if (current.trim() !== '') pieces.push(trimBlank(current));
    current = '';
    size = 0;
  };
  for (const paragraph of paragraphsOf(text)) {
    const bytes = jsonBytes(paragraph);
    if (size + bytes > maxBytes) close();
    if (bytes <= maxBytes) {
      current += paragraph;
      size += bytes;
    } else for (const piece of hardPieces(paragraph, maxBytes)) pieces.push(piece);
  }
  close();
  return pieces.length > 0 ? pieces : [''];
}

function fitPart(part: Part, maxBytes: number): Part[] {
  if (jsonBytes(part.body) <= maxBytes) return [{ ...part, body: trimBlank(part.body) }];
  if (headingsOf(part.body).length > 0) {
    const { intro, parts } = splitMarkdown(part.body, maxBytes);
    const nested = parts.map((sub) => ({
      ...sub,
      title: titleUnder(part.title, sub.title),
      heading: `${part.heading} ${sub.heading}`,
    }));
    const isSaid = nested.some(({ title }) => title.startsWith(`${part.title}${SEPARATOR}`));
    return intro.trim() === '' && isSaid ? nested : [{ ...part, body: intro }, ...nested];
  }
  return chunks(part.body, maxBytes).map((body, i) =>
    i === 0
      ? { ...part, body }
      : { title: `${part.title} (${i + 1})`, heading: `${part.heading} ${i + 1}`, body },
  );
}

/** The line of a heading that its title cannot hold, without the marks that make it one: it opens the text under it. */
function headingLeft(text: string, heading: Heading): string {
  if (isSaidByTitle(heading)) return '';
  const [line = ''] = text.slice(heading.start, heading.end).split('\n', 1);
  return `${line.replace(/^[\s#]+/, '')}\n\n`;
}

/** The title of a part in a part: where there is no room for both, the end of the outer one is left out. */
function titleUnder(outer: string, inner: string): string {
  const room = MAX_TITLE_LENGTH - inner.length - SEPARATOR.length;
  return room < MIN_OUTER ? inner : shorten(outer, room) + SEPARATOR + inner;
}

/** The highest level that really divides the text: the first with two headings, else the first there is. */
function splitLevel(headings: readonly Heading[]): number {
  const counts = new Map<number, number>();
  for (const { level } of headings) counts.set(level, (counts.get(level) ?? 0) + 1);
  const levels = [...counts.keys()].sort((a, b) => a - b);
  return levels.find((level) => (counts.get(level) ?? 0) > 1) ?? levels[0] ?? 0;
}

/** Paragraphs with the blank lines that follow them; a fenced code block stays in one piece. */
function* paragraphsOf(text: string): Generator<string> {
  let from = 0;
  let blank = false;
  for (const { line, start, code } of linesOf(text)) {
    const empty = !code && line.trim() === '';
    if (blank && !empty) {
      yield text.slice(from, start);
      from = start;
    }
    blank = empty;
  }
  if (from < text.length) yield text.slice(from);
}

function* hardPieces(text: string, maxBytes: number): Generator<string> {
  for (let rest = text; rest.trim() !== ''; ) {
    const limit = indexWithin(rest, maxBytes);
    if (limit >= rest.length) {
      yield trimBlank(rest);
      return;
    }
    const line = rest.lastIndexOf('\n', limit - 1) + 1;
    const at = line > limit / 2 ? line : cutAt(rest, limit).at || limit;
    const piece = trimBlank(rest.slice(0, at));
    if (piece.trim() !== '') yield piece;
    rest = rest.slice(at);
  }
}

/** The greatest index, at least 1, such that the text before it takes at most `maxBytes` inside a JSON string. */
function indexWithin(text: string, maxBytes: number): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    bytes += unitBytes(text, i);
    if (bytes > maxBytes) return Math.max(1, i);
  }
  return text.length;
}

/** Upper bound of what one UTF-16 code unit adds. */
function unitBytes(text: string, i: number): number {
  const unit = text.charCodeAt(i);
  if (unit < 0x20) return unit === 0x0a || unit === 0x0d || unit === 0x09 ? 2 : 6;
  if (unit < 0x80) return unit === 0x22 || unit === 0x5c ? 2 : 1;
  if (unit < 0x800) return 2;
  return unit >= 0xd800 && unit <= 0xdfff ? 6 : 3;
}

/** Without blank lines at the start and white space at the end; indentation of the first line is kept. */
function trimBlank(text: string): string {
  return withoutBlankStart(text).trimEnd();
}

/** Title of a part within the limits of a title. */
export function partTitle(part: Part, fileTitle: string): string {
  return cleanTitle(part.title.startsWith('(') ? `${fileTitle} ${part.title}` : part.title, fileTitle);
}
