import { foldWords } from './fold.ts';
import type { NormalForm, TextWords } from './forms.ts';
import { atOnce, type Steps } from './pace.ts';

/**
 * Acronyms written with full stops, as their letters run together: `R.G.P.D.` and `R.G.P.D` are `rgpd`, `P.-D.G.` is `pdg`. They are single letters, each right
 * after the stop of the one before, or after a hyphen that follows it. A letter alone is none (`J. Dupont`, `plan B.`, `A.`), nor are letters with a space between
 * (`J. R. R. Tolkien`: initials, labels and ends of sentences are written so), nor what a stop ties to a longer word or to a number (`a.b.fr`, `v1.2.3`), or
 * a hyphen to one more letter (`c.-à-d.`), nor a part of an address (`a.b@exemple.fr`).
 */

/** More letters one after the other are no acronym: a list, or a text made to be long. */
const MAX_LETTERS = 12;
const LETTER = /^\p{L}$/u;
/** What stands between two letters of one acronym. */
const BETWEEN = /^\.[-\u2010\u2011]?$/;
const HYPHEN = /^[-\u2010\u2011]$/;
/** Words looked at between two steps. */
const STEP = 1_024;

/** Whether a word may be a letter of an acronym: alone, with a stop right after it. */
export function isInitial(text: string, length: number, end: number): boolean {
  return length === 1 && text.charCodeAt(end) === 46;
}

/** Whether a form stands for an acronym: of those without a digit, no other has a word for each of its characters. */
export function isAcronym({ term, span }: NormalForm): boolean {
  return span > 1 && span === term.length && !/\d/.test(term);
}

/** Every acronym of a text that is written with stops, in steps: at its first letter, as many words long as it has letters. */
export function* findingAcronyms(text: string, { terms, starts, ends }: TextWords): Steps<NormalForm[]> {
  const found: NormalForm[] = [];
  /** What stands between word `i` and the next. */
  const gap = (i: number) => text.slice(ends[i], starts[i + 1]);
  const isLetter = (i: number) => terms[i]?.length === 1 && LETTER.test(terms[i] as string);
  const goesOn = (i: number) =>
    isLetter(i) && isLetter(i + 1) && text[ends[i] as number] === '.' && BETWEEN.test(gap(i));
  /** Whether word `i` and the next, of which one is no letter of the acronym, are written as one. */
  const isTied = (i: number) => {
    if (i < 0 || i + 1 >= terms.length) return false;
    const mark = gap(i);
    return mark === '.' || (HYPHEN.test(mark) && isLetter(i) && isLetter(i + 1));
  };
  const isInAddress = (first: number, last: number) =>
    text[(starts[first] as number) - 1] === '@' || text[ends[last] as number] === '@';

  let next = STEP;
  for (let first = 0; first < terms.length; first++) {
    let last = first;
    for (; goesOn(last); last++) {
      if (last < next) continue;
      next = last + STEP;
      yield;
    }
    if (last >= next) {
      next = last + STEP;
      yield;
    }
    const span = last - first + 1;
    if (span > 1 && span <= MAX_LETTERS && !isTied(first - 1) && !isTied(last) && !isInAddress(first, last))
      found.push({ term: terms.slice(first, last + 1).join(''), position: first, span });
    first = last;
  }
  return found;
}

/** What is read before a stop: more than the longest acronym takes, its accents apart from their letters. */
const READ_BEFORE = 64;
const NO_SPACE_BEFORE = /\S+$/;

/** Whether the stop at `stop`, which stands before a space, is the last one of an acronym. */
export function endsAcronym(text: string, stop: number): boolean {
  const [run = ''] = NO_SPACE_BEFORE.exec(text.slice(Math.max(0, stop - READ_BEFORE), stop)) ?? [];
  if (run.length === READ_BEFORE) return false;
  const words = foldWords(run);
  const found = findingAcronyms(`${run}.`, {
    terms: words.map((word) => word.text),
    starts: words.map((word) => word.start),
    ends: words.map((word) => word.end),
  });
  return atOnce(found).some(({ position, span }) => position + span === words.length);
}
