import { type Face, faceMetrics } from './fonts.ts';
import { drawnText } from './text.ts';

type TextStyle = {
  face: Face;
  /** Letter spacing as a ratio of the size. */
  tracking?: number;
  /** Distance between baselines as a ratio of the size. */
  leading?: number;
};

export type FitOptions = TextStyle & {
  width: number;
  height: number;
  /** Size tried first, in pixels. */
  size: number;
  /** Above this size a word is never broken inside: the text shrinks instead. */
  minSize?: number;
  maxLines?: number;
};

/** A text broken into lines that fit. `height` runs from the capitals of the first line to the last baseline. */
export type Block = {
  face: Face;
  size: number;
  tracking: number;
  leading: number;
  lines: { text: string; width: number }[];
  width: number;
  height: number;
};

const SMALLEST = 8;
/** Under this size a text gives up its own line breaks rather than be set smaller still. */
const LEGIBLE = 11;
const SHRINK = 0.965;

/** Width of one line in pixels. Kerning is left out: it tightens far more often than it loosens. */
function lineWidth(text: string, style: TextStyle, size: number): number {
  const { advance } = faceMetrics(style.face);
  let ems = 0;
  let characters = 0;
  for (const character of text) {
    ems += advance(character.codePointAt(0) as number);
    characters++;
  }
  return (ems + characters * (style.tracking ?? 0)) * size;
}

const graphemes = new Intl.Segmenter('fr', { granularity: 'grapheme' });

type Measure = (text: string) => number;

/** Words; one that is wider than the line alone may also end it after an inner hyphen. */
function pieces(paragraph: string, width: number, measure: Measure): { text: string; glued: boolean }[] {
  return paragraph.split(' ').flatMap((word) => {
    const parts = measure(word) <= width ? [word] : word.split(/(?<=\p{L}-)(?=\p{L})/u);
    return parts.map((text, i) => ({ text, glued: i > 0 }));
  });
}

function breakWord(word: string, width: number, measure: Measure): string[] {
  const parts: string[] = [];
  let part = '';
  for (const { segment } of graphemes.segment(word)) {
    if (part !== '' && measure(part + segment) > width) {
      parts.push(part);
      part = '';
    }
    part += segment;
  }
  parts.push(part);
  return parts;
}

/** Greedy lines no wider than `width`, or null when a word alone is wider and may not be broken. */
function breakLines(text: string, width: number, measure: Measure, mayBreakWords: boolean): string[] | null {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const piece of pieces(paragraph, width, measure)) {
      const joined = line === '' ? piece.text : `${line}${piece.glued ? '' : ' '}${piece.text}`;
      if (measure(joined) <= width) {
        line = joined;
        continue;
      }
      if (line !== '') lines.push(line);
      line = piece.text;
      if (measure(line) <= width) continue;
      if (!mayBreakWords) return null;
      const parts = breakWord(line, width, measure);
      lines.push(...parts.slice(0, -1));
      line = parts.at(-1) as string;
    }
    lines.push(line);
  }
  return lines;
}

/** Same number of lines in the narrowest width: no lonely last word, an even right edge. */
function balance(text: string, width: number, measure: Measure, lines: string[]): string[] {
  let low = width * 0.5;
  let high = width;
  let best = lines;
  for (let i = 0; i < 12; i++) {
    const middle = (low + high) / 2;
    const tried = breakLines(text, middle, measure, false);
    if (tried && tried.length === lines.length) {
      best = tried;
      high = middle;
    } else low = middle;
  }
  return best;
}

/** A last line this short beside the others looks forgotten. */
const LONELY = 0.4;
/** How much smaller a text may be set to avoid it. */
const LONELY_SHRINK = 0.86;

function isLonely(lines: Block['lines']): boolean {
  const last = lines.at(-1);
  return (
    lines.length > 2 &&
    last !== undefined &&
    last.width < LONELY * Math.max(...lines.map((line) => line.width))
  );
}

/** The setting at one size, or null when it does not fit. */
function setAt(
  text: string,
  size: number,
  options: FitOptions,
  mayBreakWords: boolean,
  anyHeight: boolean,
): Block | null {
  const { face, width, height, maxLines = Number.POSITIVE_INFINITY } = options;
  const tracking = options.tracking ?? 0;
  const leading = options.leading ?? 1.2;
  const { capHeight, descent } = faceMetrics(face);
  const measure: Measure = (part) => lineWidth(part, { face, tracking }, size);
  const broken = breakLines(text, width, measure, mayBreakWords);
  if (!broken) return null;
  const blockHeight = ((broken.length - 1) * leading + capHeight) * size;
  const fits = broken.length <= maxLines && blockHeight + descent * 0.4 * size <= height;
  if (!fits && !anyHeight) return null;
  const even = broken.length > 1 ? balance(text, width, measure, broken) : broken;
  const lines = even.map((line) => ({ text: line, width: measure(line) }));
  const widest = Math.max(...lines.map((line) => line.width));
  return { face, size, tracking, leading, lines, width: widest, height: blockHeight };
}

/**
 * The largest setting of `text`, at most `size`, whose lines all fit the box; a little smaller when that avoids a lonely
 * last word. Nothing is ever cut off: the size goes down until everything is in; more line breaks than a legible size has room for are
 * spaces. Under `minSize`, and at the smallest size of all, a word wider than the box is broken inside.
 */
export function fitText(raw: string, options: FitOptions): Block {
  const text = drawnText(raw);
  const minSize = options.minSize ?? options.size * 0.5;
  const hasBreaks = text.includes('\n');
  let first: Block | undefined;
  for (let size = options.size; ; size = Math.max(size * SHRINK, SMALLEST)) {
    if (hasBreaks && !first && size < Math.min(LEGIBLE, options.size))
      return fitText(text.replace(/\n+/g, ' '), options);
    const last = size <= SMALLEST;
    const block = setAt(text, size, options, last || size <= minSize, last);
    if (block && (!isLonely(block.lines) || last)) return first && last ? first : block;
    if (block) first ??= block;
    if (first && size < first.size * LONELY_SHRINK) return first;
  }
}
