import { PLAIN_LETTERS } from '#lib/core/text/fold.ts';
import type { Steps } from './pace.ts';

/**
 * Folding and cutting into words, on the original text and with original offsets. `cafe`, `CAFÉ` and a decomposed `café`
 * are one word; `cœur` is `coeur`; apostrophes and hyphens separate. One pass, no intermediate string: bodies can be long.
 */

/** A word as the scanner sees it. The object is reused: copy what must outlive the visit. */
type ScannedWord = {
  /** Folded UTF-16 units, valid up to `length`. */
  codes: Uint16Array;
  length: number;
  /** For each folded unit, where its original character starts. */
  origins: Uint32Array;
  /** Original offsets (UTF-16 units), end excluded; combining marks included. */
  start: number;
  end: number;
};

type FoldedWord = { text: string; start: number; end: number };

const SEPARATOR = 0;
const IGNORED = 1;
const SLOW = 0xffffffff;

/** Marks that never cut a word: accents after decomposition, vowel points, soft hyphen, joiners, variation selectors. */
const INVISIBLE =
  /[\u0300-\u036f]|[\u0591-\u05c7]|[\u0610-\u061a]|[\u064b-\u065f]|\u0670|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20ff]|\u3099|\u309a|[\ufe00-\ufe0f]|[\ufe20-\ufe2f]|\u00ad|\u200c|\u200d|\u2060|\ufeff/u;

/** Letters for Unicode, apostrophes for whoever types them. */
const APOSTROPHE_LETTERS = /[\u02b0-\u02ff\ua78b\ua78c]/u;

const WORD_CHARACTER = /[\p{L}\p{Nd}]/u;

/** Folded units of one code point: '' when it is invisible, with ' ' where it separates. */
function foldCodePoint(character: string): string {
  let folded = '';
  for (const part of character.normalize('NFKD')) {
    if (INVISIBLE.test(part)) continue;
    for (const lower of part.toLowerCase()) {
      const letter = PLAIN_LETTERS[lower] ?? lower;
      if (INVISIBLE.test(letter)) continue;
      folded += WORD_CHARACTER.test(letter) && !APOSTROPHE_LETTERS.test(letter) ? letter : ' ';
    }
  }
  return folded;
}

/** Below 0x250, where French lives: two folded units packed in one number. */
const LATIN = new Uint32Array(0x250);
for (let code = 0; code < LATIN.length; code++) {
  const folded = foldCodePoint(String.fromCharCode(code));
  const first = folded.charCodeAt(0);
  if (folded === '') LATIN[code] = IGNORED;
  else if (folded === ' ') LATIN[code] = SEPARATOR;
  else if (folded.length > 2 || folded.includes(' ')) LATIN[code] = SLOW;
  else LATIN[code] = first | ((folded.length === 2 ? folded.charCodeAt(1) : 0) << 16);
}

const others = new Map<number, string>();

function foldOther(codePoint: number): string {
  let folded = others.get(codePoint);
  if (folded === undefined) {
    folded = foldCodePoint(String.fromCodePoint(codePoint));
    if (others.size > 20_000) others.clear();
    others.set(codePoint, folded);
  }
  return folded;
}

type Visit = (word: ScannedWord, position: number) => unknown;

/** Where a scan stands between two parts of its text. */
type Scan = { text: string; visit: Visit; word: ScannedWord; at: number; end: number; position: number };

/** Reads on until the character at `until`, then says whether there is more to read. The word begun is in `word`, `length` units of it. */
function scanPart(scan: Scan, until: number): boolean {
  const { text, visit, word } = scan;
  let { codes, origins, length } = word;
  let { end, position } = scan;
  let i = scan.at;

  for (; i < until; i++) {
    const code = text.charCodeAt(i);
    const packed = code < 0x250 ? (LATIN[code] as number) : code >= 0x300 && code <= 0x36f ? IGNORED : SLOW;
    if (packed === IGNORED) {
      end = i + 1;
      continue;
    }
    if (length + LONGEST_FOLD > codes.length) {
      growWord(word);
      ({ codes, origins } = word);
    }
    if (packed === SEPARATOR) {
      if (length === 0) continue;
      word.length = length;
      word.start = origins[0] as number;
      word.end = end;
      length = 0;
      if (visit(word, position++) === false) return false;
    } else if (packed !== SLOW) {
      codes[length] = packed & 0xffff;
      origins[length++] = i;
      if (packed > 0xffff) {
        codes[length] = packed >>> 16;
        origins[length++] = i;
      }
      end = i + 1;
    } else {
      const start = i;
      const folded = foldOther(text.codePointAt(i) as number);
      if (code >= 0xd800 && code <= 0xdbff && i + 1 < text.length && (text.codePointAt(i) as number) > 0xffff)
        i++;
      if (folded === '') end = i + 1;
      for (let j = 0; j < folded.length; j++) {
        const unit = folded.charCodeAt(j);
        if (unit !== 0x20) {
          codes[length] = unit;
          origins[length++] = start;
          end = i + 1;
        } else if (length > 0) {
          word.length = length;
          word.start = origins[0] as number;
          word.end = end;
          length = 0;
          if (visit(word, position++) === false) return false;
        }
      }
    }
  }
  word.length = length;
  scan.at = i;
  scan.end = end;
  scan.position = position;
  if (i < text.length) return true;
  if (length > 0) {
    word.start = origins[0] as number;
    word.end = end;
    visit(word, position);
  }
  return false;
}

/**
 * Calls `visit` for each word of `text`, in order, with its place in the original, until it answers false. The word object is
 * shared between visits (and nested scans are therefore not allowed inside `visit`).
 */
export function scanWords(text: string, visit: Visit): void {
  sharedWord.length = 0;
  scanPart({ text, visit, word: sharedWord, at: 0, end: 0, position: 0 }, text.length);
}

/** Characters read between two places where others may run. */
const PART = 2_048;

/** The same, in steps: other scans may run in between. */
export function* scanningWords(text: string, visit: Visit): Steps<void> {
  if (text.length <= PART) return scanWords(text, visit);
  const scan: Scan = { text, visit, word: newWord(), at: 0, end: 0, position: 0 };
  while (scanPart(scan, Math.min(scan.at + PART, text.length))) yield;
}

/** More units than one code point folds to: U+FDFA, the longest, has 18 with its spaces. */
const LONGEST_FOLD = 32;

function newWord(): ScannedWord {
  return { codes: new Uint16Array(256), origins: new Uint32Array(256), length: 0, start: 0, end: 0 };
}

const sharedWord = newWord();

function growWord(word: ScannedWord): void {
  const { codes, origins } = word;
  word.codes = new Uint16Array(codes.length * 2);
  word.origins = new Uint32Array(origins.length * 2);
  word.codes.set(codes);
  word.origins.set(origins);
}

/** Words met lately, each in the place that its letters give: texts repeat their words, and one string serves all of them. */
const recentWords = new Array<string | undefined>(2 ** 14);
const LONGEST_KEPT = 32;

/** The folded text of a scanned word. */
export function wordText({ codes, length }: ScannedWord): string {
  if (length > LONGEST_KEPT) return joined(codes, length);
  let hash = length;
  for (let i = 0; i < length; i++) hash = (Math.imul(hash, 31) + (codes[i] as number)) | 0;
  const place = (hash ^ (hash >>> 14)) & (recentWords.length - 1);
  const known = recentWords[place];
  if (known !== undefined && isSame(known, codes, length)) return known;
  const text = joined(codes, length);
  recentWords[place] = text;
  return text;
}

/** A term as it is written in the index, UTF-8 from `start` to `end`: the same string again where it was met lately. */
export function termText(bytes: Buffer, start: number, end: number): string {
  const length = end - start;
  if (length > LONGEST_KEPT) return bytes.toString('utf8', start, end);
  let hash = length;
  for (let i = start; i < end; i++) {
    const unit = bytes[i] as number;
    if (unit > 127) return bytes.toString('utf8', start, end);
    hash = (Math.imul(hash, 31) + unit) | 0;
  }
  const place = (hash ^ (hash >>> 14)) & (recentWords.length - 1);
  const known = recentWords[place];
  if (known !== undefined && known.length === length) {
    let i = 0;
    while (i < length && known.charCodeAt(i) === bytes[start + i]) i++;
    if (i === length) return known;
  }
  const text = bytes.toString('latin1', start, end);
  recentWords[place] = text;
  return text;
}

function isSame(text: string, codes: Uint16Array, length: number): boolean {
  if (text.length !== length) return false;
  for (let i = 0; i < length; i++) if (text.charCodeAt(i) !== codes[i]) return false;
  return true;
}

function joined(codes: Uint16Array, length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) text += String.fromCharCode(codes[i] as number);
  return text;
}

/** The folded words of `text`, in order, with their original offsets. */
export function foldWords(text: string): FoldedWord[] {
  const words: FoldedWord[] = [];
  scanWords(text, (word) => words.push({ text: wordText(word), start: word.start, end: word.end }));
  return words;
}

/** The folded words of `text` joined by single spaces: equal for two texts exactly when search cannot tell them apart. */
export function fold(text: string): string {
  return foldWords(text)
    .map((word) => word.text)
    .join(' ');
}
