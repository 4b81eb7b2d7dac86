import { isAcronym } from './acronyms.ts';
import { scanWords } from './fold.ts';
import type { NormalForm } from './forms.ts';
import { kindOf, type MatchKind, matchInside, matchTerm, qualityOf, WITH_UNIT } from './match.ts';
import { atOnce, type Steps } from './pace.ts';
import type { Query, QueryWord } from './query.ts';
import { readingTerms, type TextTerms } from './terms.ts';
import type { NumberAndUnit } from './units.ts';

/** One place of an original text that answers a word of the query, in UTF-16 units. */
export type Occurrence = {
  word: number;
  kind: MatchKind;
  /** 0 to 100. */
  quality: number;
  start: number;
  end: number;
  /** Place of the word in the text. */
  position: number;
};

/** Places of one word beyond these are not looked for: no reader needs more. */
const MAX_PLACES = 1_000;
/** Words looked at between two steps. */
const STEP = 512;

type Numbered = { word: QueryWord; index: number };
type TermMatch = { index: number; text: string; code: number };

const NO_MATCH: readonly TermMatch[] = [];
/** Terms remembered: a text of 128 KiB can hold twenty thousand, and there are several texts. */
const MAX_KNOWN = 20_000;

function remembered(words: readonly Numbered[], match: (word: QueryWord, term: string) => number) {
  const known = new Map<string, readonly TermMatch[]>();
  return (term: string): readonly TermMatch[] => {
    let matches = known.get(term);
    if (matches === undefined) {
      matches = NO_MATCH;
      for (const { word, index } of words) {
        const code = match(word, term);
        if (code !== 0) matches = [...matches, { index, text: word.text, code }];
      }
      if (known.size === MAX_KNOWN) known.clear();
      known.set(term, matches);
    }
    return matches;
  };
}

/** Which terms answer which words of a ranked query: texts repeat their terms. */
export class TermMatches {
  readonly words: readonly Numbered[];
  readonly of: (term: string) => readonly TermMatch[];

  constructor(query: Query) {
    this.words = query.words.map((word, index) => ({ word, index }));
    this.of = remembered(this.words, matchTerm);
  }
}

/**
 * Every place of a text that answers a word of the query, in order: the whole word for another form of it, the matching part for
 * a beginning or a piece. A word that the text answers nowhere is looked for inside its words.
 */
export function occurrences(query: Query, text: string): Occurrence[] {
  return atOnce(findingOccurrences(query, text));
}

/** The same, in steps. `known`: the terms of the text, when they were read already. */
export function* findingOccurrences(
  query: Query,
  text: string,
  matches = new TermMatches(query),
  known?: TextTerms,
): Steps<Occurrence[]> {
  const { terms, words, starts, ends, places, extras } = known ?? (yield* readingTerms(text));
  const found: Occurrence[] = [];
  const counts = new Map<number, number>();
  const rangeBetween = (first: number, last: number): Range => [
    starts[first] as number,
    ends[Math.min(last, words.length - 1)] as number,
  ];
  const put = (own: readonly TermMatch[], position: number, rangeFor: RangeFor) => {
    for (const { index, text: wanted, code } of own) {
      const count = counts.get(index) ?? 0;
      if (count >= MAX_PLACES) continue;
      counts.set(index, count + 1);
      const kind = kindOf(code) as MatchKind;
      const [start, end] = rangeFor(wanted, kind);
      const place = places[position] as number;
      found.push({ word: index, kind, quality: qualityOf(code), start, end, position: place });
    }
  };
  function* collect(matchesOf: (term: string) => readonly TermMatch[]): Steps<void> {
    const answers: (readonly TermMatch[])[] = [];
    for (const term of terms) {
      answers.push(matchesOf(term));
      if (answers.length % STEP === 0) yield;
    }
    for (let i = 0; i < words.length; i++) {
      const own = answers[words[i] as number] as readonly TermMatch[];
      if (own.length > 0) put(own, i, (wanted, kind) => rangeOf(text, rangeBetween(i, i), wanted, kind));
      if (i % STEP === STEP - 1) yield;
    }
    for (let i = 0; i < extras.length; i++) {
      const form = extras[i] as NormalForm;
      put(matchesOf(form.term), form.position, (wanted, kind) => {
        const [first, last] = wordsOf(form, wanted, kind);
        return rangeBetween(form.position + first, form.position + last);
      });
      if (i % STEP === STEP - 1) yield;
    }
  }
  yield* collect((term) => matches.of(term));
  for (const { index, word } of matches.words) {
    if (word.level !== 'start') continue;
    for (const apart of word.apart) yield* findTogether({ index, word }, apart);
  }
  function* findTogether({ index, word }: Numbered, apart: NumberAndUnit): Steps<void> {
    const number = terms.indexOf(apart.number);
    const unit = terms.indexOf(apart.unit);
    // A unit may be an acronym, `8 p.m.`: the last letter of each.
    const acronyms = new Map<number, number>();
    for (const form of extras)
      if (form.term === apart.unit && isAcronym(form))
        acronyms.set(form.position, form.position + form.span - 1);
    yield;
    if (unit < 0 && acronyms.size === 0) return;
    const own = [{ index, text: word.text, code: WITH_UNIT }];
    const putTogether = (first: number, next: number) => {
      const last = words[next] === unit ? next : acronyms.get(next);
      if (last !== undefined && places[next] === (places[first] as number) + next - first)
        put(own, first, () => rangeBetween(first, last));
    };
    for (let i = 0; number >= 0 && i < words.length; i++) {
      if (i % STEP === STEP - 1) yield;
      if (words[i] === number) putTogether(i, i + 1);
    }
    // A number in thousands is a form, as many words long as they are.
    for (let i = 0; i < extras.length; i++) {
      if (i % STEP === STEP - 1) yield;
      const { term, position, span } = extras[i] as NormalForm;
      if (term === apart.number) putTogether(position, position + span);
    }
  }
  const missing = matches.words.filter(({ index, word }) => !counts.has(index) && word.level === 'start');
  if (missing.length > 0) yield* collect(remembered(missing, matchInside));
  return found.sort((a, b) => a.start - b.start || b.end - a.end || a.word - b.word);
}

type Range = [start: number, end: number];
/** What of a text a match covers: of the word or form that it is in. */
type RangeFor = (wanted: string, kind: MatchKind) => Range;

/** The words of a form that its match covers, the first of it being 0: of an acronym, each letter of which is one, those that were typed. */
function wordsOf(form: NormalForm, wanted: string, kind: MatchKind): [first: number, last: number] {
  const first = isPart(kind) && isAcronym(form) ? form.term.indexOf(wanted) : -1;
  return first < 0 ? [0, form.span - 1] : [first, first + wanted.length - 1];
}

/** Whether a match covers no more of a word than what was typed. */
const isPart = (kind: MatchKind) => kind === 'prefix' || kind === 'inside';

/** The part of a word of the text that its match covers. */
function rangeOf(text: string, [start, end]: Range, wanted: string, kind: MatchKind): Range {
  if (!isPart(kind)) return [start, end];
  let range: Range = [start, end];
  scanWords(text.slice(start, end), (word, nth) => {
    if (nth > 0) return;
    let folded = '';
    for (let i = 0; i < word.length; i++) folded += String.fromCharCode(word.codes[i] as number);
    const from = folded.indexOf(wanted);
    if (from < 0) return;
    let to = from + wanted.length;
    // A ligature folds to two units of one character: the range covers the whole character.
    while (to < word.length && word.origins[to] === word.origins[to - 1]) to++;
    range = [
      start + (word.origins[from] as number),
      start + (to === word.length ? word.end : (word.origins[to] as number)),
    ];
  });
  return range;
}
