import { endsAcronym } from './acronyms.ts';

/**
 * Where the sentences of a text end, for whoever shows some of them: after marks and the closing quotation that follows them, and at each line
 * break. The stop of an acronym (`R.G.P.D.`), of initials (`J. Dupont`) or of an abbreviation (`M. Hue`, `art. 4`, `env. 30`) ends none.
 */

/**
 * Marks, with the closing marks that French sets a space before. A run of marks is looked at from its first one alone: from each, a text of
 * nothing but marks would take the square of its length.
 */
const SENTENCE_END = /(?<![.!?…])[.!?…]+((?:[^\S\r\n]?[»›]|["”’)\]])*)(?=\s)|\n/g;

/** What a name follows, where they are written with a capital; `M.` is an initial as others are. */
const TITLES = new Set('dr drs mgr mlle mlles mm mme mmes mr mrs ms pr prof st ste'.split(' '));
/** What something follows, always. */
const UNFINISHED = new Set('av cf vs'.split(' '));
/** What may end a sentence: it does before a capital that begins a word. */
const SHORTENED = new Set(
  `al approx apr art avr ch chap coll corp dec dept dim dir ed env etc ex excl feb fevr fig hab inc incl inf janv jan jr juil l ltd lun max min mn n nb no nos nov num obs oct p par
  pl pp prov ref rep resp sam sept sq sr suiv sup suppl t tel tom trad trim univ v ven vol vols`.split(/\s+/),
);
const LONGEST_SHORTENED = 8;

const LETTER = /[\p{L}\p{M}]/u;
const DIGIT = /\p{N}/u;
const CAPITAL = /^\p{Lu}/u;
/** What stands before the last letter of `c.-à-d.` */
const HYPHENS = '-\u2010\u2011';
/** What opens a sentence, before its first word. */
const OPENING = /^[\s«‹“"‘’(['*_–—-]{0,8}/u;
/** A capital that begins no sentence: `art. L. 121-1`, `réf. AB12`, `chap. IV`. */
const CODE = /^(?:\p{Lu}\.\s?\d|\p{Lu}{1,8}-?\d|(?:[IVX]|[IVXLC]{2,8})(?![\p{L}\p{M}’']))/u;
/** What is read after a stop to tell what begins there. */
const READ_AFTER = 24;

/** Every place where a sentence or a line of a text ends: after its marks, or at its line break. Linear, whatever the text. */
export function* sentenceEnds(text: string): Generator<number> {
  for (const { 0: found, 1: closing = '', index } of text.matchAll(SENTENCE_END)) {
    const end = index + found.length;
    if (found === '\n') yield index;
    else if (found === '.') {
      if (!goesOn(text, index)) yield end;
      // « Et si ça casse ? » demande-t-elle.
    } else if (!/[»›]/.test(closing) || !/^\p{Ll}/u.test(whatBegins(text, end))) yield end;
  }
}

/** Whether a sentence goes on after what stands at `stop`: a stop right before a space that ends none. */
export function goesOnAfterStop(text: string, stop: number): boolean {
  return text[stop] === '.' && /\s/.test(text[stop + 1] ?? '') && goesOn(text, stop);
}

function whatBegins(text: string, at: number): string {
  return text.slice(at, at + READ_AFTER).replace(OPENING, '');
}

/** Whether the stop at `stop` belongs to the word before it, and what follows goes on with its sentence. */
function goesOn(text: string, stop: number): boolean {
  let start = stop;
  while (start > 0 && stop - start <= LONGEST_SHORTENED && isLetter(text, start - 1)) start--;
  if (start === stop || stop - start > LONGEST_SHORTENED) return false;
  const word = text.slice(start, stop);
  const before = text[start - 1] ?? ' ';
  if (DIGIT.test(before) || before === '_') return false;
  const plain = plainWord(word);
  const isCapital = CAPITAL.test(word);
  if (plain.length === 1) {
    if (before === '.') return endsAcronym(text, stop);
    if (isCapital || HYPHENS.includes(before)) return true;
  }
  if ((isCapital && TITLES.has(plain)) || UNFINISHED.has(plain)) return true;
  if (!SHORTENED.has(plain) && !TITLES.has(plain)) return false;
  const after = whatBegins(text, stop + 1);
  return !CAPITAL.test(after) || CODE.test(after);
}

function isLetter(text: string, at: number): boolean {
  const unit = text.charCodeAt(at) | 0x20;
  return unit < 128 ? unit >= 97 && unit <= 122 : LETTER.test(text[at] as string);
}

/** A word without its accents, in lower case. */
function plainWord(word: string): string {
  const lower = word.toLowerCase();
  return /^[a-z]+$/.test(lower) ? lower : lower.normalize('NFD').replace(/\p{M}/gu, '');
}
