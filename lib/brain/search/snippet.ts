import { ELLIPSIS, LEFT_OFF, leftOff, partsWords } from '../text/cut.ts';
import {
  findingOccurrences,
  type Occurrence,
  occurrences,
  type TermMatches,
} from './matching/occurrences.ts';
import type { Steps } from './matching/pace.ts';
import type { Query } from './matching/query.ts';
import { goesOnAfterStop } from './matching/sentences.ts';
import type { TextTerms } from './matching/terms.ts';

/** Longest snippet, in UTF-16 units, both ellipses included. */
export const MAX_SNIPPET = 240;
/** How much text is shown before the first word found, at most. */
const LEAD = 60;
/** What a snippet starts or ends in the middle of is cut back to a word if one is this near. */
const WORD_REACH = 24;

const graphemes = new Intl.Segmenter('fr', { granularity: 'grapheme' });

export type TextRange = { start: number; end: number };

/**
 * Where the query's words stand in a title or a snippet, for highlighting: original UTF-16 offsets, in order, not overlapping.
 * The whole word for an inflected form, the matching part for a prefix.
 */
export function matchRanges(query: Query, text: string): TextRange[] {
  const ranges: TextRange[] = [];
  for (const { start, end } of occurrences(query, text)) {
    const last = ranges.at(-1);
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else ranges.push({ start, end });
  }
  return ranges;
}

/** What words one after the other, and words many, add to a stretch at most. */
const ADJACENT = 0.6;
const MAX_BESIDE = ADJACENT + 0.1;

/** The stretch of text that answers the query best: most distinct words, then the closest together, then the earliest. */
function bestStretch(query: Query, found: readonly Occurrence[]): TextRange | null {
  let best: TextRange | null = null;
  let bestWorth = 0;
  const worthOf = ({ word, quality }: Occurrence) => ((query.words[word]?.weight ?? 1) * quality) / 100;
  const worths = new Float64Array(query.words.length);
  for (const one of found) worths[one.word] = Math.max(worths[one.word] as number, worthOf(one));
  const most = worths.reduce((sum, worth) => sum + worth, MAX_BESIDE);
  for (let first = 0; first < found.length && bestWorth < most - 1e-9; first++) {
    const start = (found[first] as Occurrence).start;
    worths.fill(0);
    let adjacent = 0;
    for (let i = first; i < found.length; i++) {
      const one = found[i] as Occurrence;
      const { word, end, position } = one;
      if (end - start > MAX_SNIPPET - LEAD - 2 * ELLIPSIS.length) break;
      worths[word] = Math.max(worths[word] as number, worthOf(one));
      if (i > first && position === (found[i - 1] as Occurrence).position + 1) adjacent += 0.2;
      let worth = Math.min(adjacent, ADJACENT) + 0.02 * Math.min(i - first, 5);
      for (const value of worths) worth += value;
      if (worth > bestWorth + 1e-9) {
        bestWorth = worth;
        best = { start, end };
      }
    }
  }
  return best;
}

/** The nearest grapheme boundary at or before (`-1`) or at or after (`1`) an offset. */
function graphemeBoundary(text: string, offset: number, direction: -1 | 1): number {
  if (offset <= 0) return 0;
  if (offset >= text.length) return text.length;
  // Segmenting from the last space is enough, and spares long bodies; without one near, from the beginning.
  let from = offset - 1;
  while (from > 0 && offset - from < 256 && !/\s/u.test(text[from] as string)) from--;
  if (!/\s/u.test(text[from] as string)) from = 0;
  const segment = graphemes.segment(text.slice(from, offset + 256)).containing(offset - from);
  if (!segment || segment.index === offset - from) return offset;
  return direction < 0 ? from + segment.index : from + segment.index + segment.segment.length;
}

const isSpace = (text: string, offset: number) => /\s/u.test(text[offset] ?? ' ');

function cutStart(text: string, wanted: number, notAfter: number): number {
  if (wanted <= 0) return 0;
  for (let i = wanted; i <= Math.min(wanted + WORD_REACH, notAfter); i++) {
    if (partsWords(text, i - 1) && !isSpace(text, i)) return graphemeBoundary(text, i, 1);
  }
  return graphemeBoundary(text, wanted, 1);
}

function cutEnd(text: string, wanted: number, notBefore: number): number {
  if (wanted >= text.length) return text.length;
  for (let i = wanted; i >= Math.max(wanted - WORD_REACH, notBefore); i--) {
    if (partsWords(text, i) && !isSpace(text, i - 1)) return i;
  }
  return graphemeBoundary(text, wanted, -1);
}

/** What a sentence, what a colon announces or a line begins after. */
const BREAK = /[.!?…:](?:[^\S\r\n]?[»›]|["”’)\]])*\s+(?=\S)|\n(?=\S)/g;

/** Where a snippet had better begin: the start of the sentence or line, when it is near before the match. */
function leadStart(text: string, matchStart: number): number {
  const from = Math.max(0, matchStart - LEAD);
  let start = from;
  for (const { 0: found, index } of text.slice(from, matchStart).matchAll(BREAK))
    if (!goesOnAfterStop(text, from + index)) start = from + index + found.length;
  return start;
}

/**
 * At most MAX_SNIPPET units of the original `body` around the best match, untouched but for an ellipsis at a cut; the beginning
 * of the body when only the title matches. Never cuts a grapheme. In steps: a body can be long. `matches` serves the other results
 * of the query, too; `terms` are those of the body, when they were read already.
 */
export function* makingSnippet(
  query: Query,
  body: string,
  matches?: TermMatches,
  terms?: TextTerms,
): Steps<string> {
  const found = yield* findingOccurrences(query, body, matches, terms);
  const stretch = bestStretch(query, found);
  const firstText = body.length - body.trimStart().length;
  const lastText = body.trimEnd().length;
  if (lastText - firstText <= MAX_SNIPPET) return body.slice(firstText, lastText);

  let start = firstText;
  if (stretch && stretch.end > firstText + MAX_SNIPPET - 1) {
    const latest = Math.max(firstText, lastText - MAX_SNIPPET + 1);
    start = cutStart(body, Math.min(leadStart(body, stretch.start), latest), stretch.start);
  }
  const head = start > firstText ? ELLIPSIS : '';
  const room = MAX_SNIPPET - head.length;
  if (lastText - start <= room) return head + body.slice(start, lastText);
  const upTo = (length: number) => {
    const end = cutEnd(body, start + length, Math.max(start + 1, stretch?.end ?? 0));
    return head + leftOff(body.slice(start, end).trimEnd());
  };
  const widest = upTo(room - ELLIPSIS.length);
  return widest.length <= MAX_SNIPPET ? widest : upTo(room - LEFT_OFF);
}
