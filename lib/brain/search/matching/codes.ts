import type { NormalForm, TextWords } from './forms.ts';
import type { Steps } from './pace.ts';

/**
 * References in several groups, as one word: `114-0080-X` is `1140080x`, `900-2213` is `9002213`, `05 45 00 80 80` and `05.45.00.80.80` are `0545008080`. A number and
 * its unit, or letters and one number (`B-2291`), are told when searching (`units.ts`); what is digits with stops or strokes alone is a number or a date.
 * With spaces, only what is always grouped so: a French telephone number, with its country too (`+33 5 45 00 80 80` is `0545008080`), an EAN-13 and a SIRET.
 */

const MAX_GROUPS = 8;
/** Shorter than this are numbers side by side: `12-15`, `7-7`. */
const SHORTEST = 5;
const GROUP = /^(?:[a-z]{1,5}|[a-z]{0,5}\d[a-z\d]{0,7})$/;
/** Told when searching. */
const NUMBER_AND_LETTERS = /^(?:[a-z]+ \d+|\d+ [a-z]+\d?)$/;
const DIGITS = /^\d+$/;
const LEADING_DIGIT = /^\d/;
const HYPHENS = '-\u2010\u2011';
const MARKS = `${HYPHENS}./_`;
/** Between the groups of a telephone number. */
const PHONE_MARKS = ` .-\u00a0\u202f`;
const PHONE_GROUPS = 5;
/** A French number with its country, from its `+` or its zeros. */
const WITH_COUNTRY =
  /(?:\+|00)33[ .\-\u00a0\u202f]?(?:\(0\)[ .\-\u00a0\u202f]?)?([1-9](?:[ .\-\u00a0\u202f]?\d\d){4})/y;
/** Digits of each group of what is printed with spaces: an EAN-13, a SIRET. */
const GROUPED = [
  [1, 6, 6],
  [3, 3, 3, 5],
];
const SPACES = ' \u00a0\u202f';
/** Words looked at between two steps. */
const STEP = 1_024;

/** Every reference of a text, in steps. */
export function* findingCodes(text: string, words: TextWords): Steps<NormalForm[]> {
  const { terms, starts, ends } = words;
  const found: NormalForm[] = [];
  /** The one character between word `i` and the next; '' where there are more. */
  const mark = (i: number) =>
    i >= 0 && starts[i + 1] === (ends[i] as number) + 1 ? (text[ends[i] as number] as string) : '';
  const isOneOf = (marks: string, i: number) => mark(i) !== '' && marks.includes(mark(i));
  const isSpaced = (i: number) => isOneOf(SPACES, i);
  const printedAt = (i: number) => withCountry(text, words, i) ?? inGroups(terms, isSpaced, i);
  for (let i = 0; i < terms.length; i++) {
    if (i % STEP === STEP - 1) yield;
    const printed = LEADING_DIGIT.test(terms[i] as string) ? printedAt(i) : null;
    if (printed !== null) {
      found.push(printed);
      i += printed.span - 1;
      continue;
    }
    if (text[ends[i] as number] === ' ' && !terms[i]?.startsWith('0')) continue;
    const isPhone = isPhoneAt(terms, i) && [0, 1, 2, 3].every((nth) => isOneOf(PHONE_MARKS, i + nth));
    let last = i;
    if (isPhone) last = i + PHONE_GROUPS - 1;
    else while (isOneOf(MARKS, last)) last++;
    if (last === i) continue;
    const groups = terms.slice(i, last + 1);
    const marks = groups.slice(1).map((_, nth) => mark(i + nth));
    if (isPhone || isCode(groups, marks))
      found.push({ term: groups.join(''), position: i, span: groups.length, isCode: true });
    i = last;
  }
  return found;
}

/** The telephone number with its country that begins at word `i`, as it is dialled in France. */
function withCountry(text: string, { terms, starts, ends }: TextWords, i: number): NormalForm | null {
  const word = terms[i] as string;
  const start = starts[i] as number;
  const from = word.startsWith('0033')
    ? start
    : word.startsWith('33') && text[start - 1] === '+'
      ? start - 1
      : -1;
  if (from < 0) return null;
  WITH_COUNTRY.lastIndex = from;
  const number = WITH_COUNTRY.exec(text)?.[1];
  if (number === undefined) return null;
  let last = i;
  while ((ends[last] as number) < WITH_COUNTRY.lastIndex) last++;
  if (ends[last] !== WITH_COUNTRY.lastIndex) return null;
  return { term: `0${number.replace(/\D/g, '')}`, position: i, span: last - i + 1, isCode: true };
}

/** The number that begins at word `i` in groups with spaces between them. */
function inGroups(terms: readonly string[], isSpaced: (at: number) => boolean, i: number): NormalForm | null {
  const isGroup = (at: number, length: number) =>
    terms[at]?.length === length && DIGITS.test(terms[at] as string);
  for (const lengths of GROUPED)
    if (
      lengths.every((length, nth) => isGroup(i + nth, length) && (nth === 0 || isSpaced(i + nth - 1))) &&
      !(isSpaced(i + lengths.length - 1) && DIGITS.test(terms[i + lengths.length] ?? ''))
    )
      return {
        term: terms.slice(i, i + lengths.length).join(''),
        position: i,
        span: lengths.length,
        isCode: true,
      };
  return null;
}

function isPhoneAt(terms: readonly string[], first: number): boolean {
  if (terms[first]?.length !== 2 || !/^0[1-9]$/.test(terms[first] as string)) return false;
  const others = terms.slice(first + 1, first + PHONE_GROUPS);
  return others.length === PHONE_GROUPS - 1 && others.every((group) => /^\d\d$/.test(group));
}

function isCode(groups: readonly string[], marks: readonly string[]): boolean {
  if (groups.length < 2 || groups.length > MAX_GROUPS || !groups.every((group) => GROUP.test(group)))
    return false;
  if (groups.join('').length < SHORTEST || !groups.some((group) => /\d/.test(group))) return false;
  if (groups.length === 2 && NUMBER_AND_LETTERS.test(groups.join(' '))) return false;
  return !groups.every((group) => DIGITS.test(group)) || marks.every((one) => HYPHENS.includes(one));
}
