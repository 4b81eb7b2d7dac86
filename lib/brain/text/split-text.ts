import { MAX_MEMORY_REQUEST_BYTES } from '../limits.ts';
import { cutAt, shorten } from './cut.ts';
import { headingsOf } from './headings.ts';
import { jsonBytes } from './json-bytes.ts';
import { chunks, partTitle, splitMarkdown } from './split-markdown.ts';
import { cleanTitle } from './titles.ts';

/** More parts than this are no longer a text that somebody pasted: that is an import. */
const MAX_PARTS = 200;

/** Bytes of JSON string in a part of a text that says nowhere where it divides: a screen to read. */
const PARAGRAPHS_BYTES = 2_000;
/** Letters of the first words that name such a part. */
const FIRST_WORDS = 60;
/** Letters of the part that are read for them: its marks are left out. */
const READ_FOR_WORDS = 500;

/**
 * A long text as an introduction, under the title given, and parts to nest in it: at its headings, else between its paragraphs, each
 * part then named by its first words. One part: it does not divide.
 */
export function splitText(input: { title: string; body: string }): { title: string; body: string }[] {
  const title = cleanTitle(input.title);
  if (headingsOf(input.body).length < 2) return splitParagraphs(title, input.body);
  const { intro, parts } = splitMarkdown(input.body, MAX_MEMORY_REQUEST_BYTES - 4096);
  const nested = parts.slice(0, MAX_PARTS).map((part) => {
    const own = partTitle(part, title);
    return { title: own, body: part.body.trim() === '' ? own : part.body };
  });
  const rest = parts.slice(MAX_PARTS);
  const last = nested.at(-1);
  if (last) for (const part of rest) last.body += `\n\n## ${part.title}\n\n${part.body}`;
  return [{ title, body: intro.trim() === '' ? title : intro }, ...nested];
}

function splitParagraphs(title: string, body: string): { title: string; body: string }[] {
  // Pieces end where paragraphs do: half of the parts allowed leaves room for those that are not full.
  const size = Math.max(PARAGRAPHS_BYTES, Math.ceil((2 * jsonBytes(body)) / MAX_PARTS));
  const [first = '', ...rest] = chunks(body, size);
  return [
    { title, body: first },
    ...rest.map((part, i) => ({ title: firstWords(part) || `${title} (${i + 2})`, body: part })),
  ];
}

/** The first words of a text, without the marks of Markdown, cut between two words. */
function firstWords(text: string): string {
  const words = text
    .slice(0, cutAt(text, READ_FOR_WORDS).at)
    .replace(/[#>*_`~|[\]]+/g, '')
    .replace(/\s+/g, ' ')
    .replace(/^[-+\d.)\s]+/, '')
    .trim();
  return words === '' ? '' : cleanTitle(shorten(words, FIRST_WORDS));
}
