import type { NormalForm, TextWords } from './forms.ts';
import { numberInLetters } from './numerals.ts';
import type { Steps } from './pace.ts';

/**
 * Dates, hours and numbers as people write them, in one form each: `12 mai 2023`, `douze mai 2023`, `12/05/2023`, `May 12, 2023` and `2023-05-12` are `#20230512`;
 * a day of any year is `%0512` (`12 mai`, `du 12/05`; in `du 12 au 14 mai` both are), and `%0512-` too where no year is said; a month is `#202305`, `14h30`, `14:30` and
 * `14 heures 30` are `@1430`, `1 200` and `1,200` are `1200`.
 */

const MONTHS: ReadonlyMap<string, number> = new Map(
  [
    'janvier january janv jan',
    'fevrier february fevr feb',
    'mars march',
    'avril april avr apr',
    'mai may',
    'juin june',
    'juillet july juil',
    'aout august aug',
    'septembre september sept sep',
    'octobre october oct',
    'novembre november nov',
    'decembre december dec',
  ].flatMap((names, index) => names.split(' ').map((name): [string, number] => [name, index + 1])),
);

const two = (value: number) => String(value).padStart(2, '0');
const isDay = (day: number) => day >= 1 && day <= 31;
const isMonth = (month: number) => month >= 1 && month <= 12;

/** The day that a word names (`12`, `1er`, `12th`, `premier`, `douze`), or 0. */
function dayOf(word: string | undefined): number {
  if (word === undefined) return 0;
  if (word === 'premier') return 1;
  const day = dayInDigits(word) || (numberInLetters(word) ?? 0);
  return isDay(day) ? day : 0;
}

function dayInDigits(word: string | undefined): number {
  const found = word === undefined ? null : /^(\d{1,2})(?:er|st|nd|rd|th)?$/.exec(word);
  const day = found ? Number(found[1]) : 0;
  return isDay(day) ? day : 0;
}

function yearOf(word: string | undefined): number {
  return word !== undefined && /^[12]\d{3}$/.test(word) ? Number(word) : 0;
}

const NO_DAY = { day: 0, at: -1 };

/** Whether two numbers with a stroke between them are a day and its month: `03/05`, `25/12`; what could be two other numbers, after an article alone. */
function isDayAndMonth(day: string, month: string, before = ''): boolean {
  if (!/^\d\d$/.test(day) || !/^(?:0[1-9]|1[0-2])$/.test(month) || !isDay(Number(day))) return false;
  return day.startsWith('0') || month.startsWith('0') || Number(day) > 12 || BEFORE_DAY.test(before);
}

const DIGIT = /^\d/;
const HOURS = /^heures?$/;
/** What a word says in digits, or in letters; null for no number. */
const numberOf = (word: string): number | null =>
  /^\d{1,4}$/.test(word) ? Number(word) : (numberInLetters(word) ?? null);
/** Words looked at between two steps. */
const STEP = 1_024;

/** Between the two days of `du 12 au 14 mai`, `les 12 et 14 mai`. */
const OTHER_DAY = /^(?:au|et|to|and)$/;
/** Before a day and its month in digits, which may else be two numbers: `le 10/12`, and not `10/12 ans`. */
const BEFORE_DAY = /^(?:le|du|au)$/;

/**
 * Every normal form of a text but its numbers of several words, which are `numerals`, in steps. A full date has two: with its year, and as a day of any year.
 */
export function* findingForms(
  text: string,
  words: TextWords,
  numerals: readonly NormalForm[],
): Steps<NormalForm[]> {
  const reader = new FormReader(text, words, numerals);
  let next = STEP;
  for (let i = 0; i < words.terms.length; i++) {
    if (i >= next) {
      next = i + STEP;
      yield;
    }
    i = reader.readAt(i);
  }
  return reader.found;
}

/** Reads the words of one text, first to last. */
class FormReader {
  readonly found: NormalForm[] = [];
  readonly #text: string;
  readonly #terms: readonly string[];
  readonly #starts: readonly number[];
  readonly #ends: readonly number[];
  /** The numbers of several words, by the word after each. */
  readonly #numeralBefore: ReadonlyMap<number, NormalForm>;
  /** The same, by their first word. */
  readonly #numeralAt: ReadonlyMap<number, NormalForm>;

  constructor(text: string, { terms, starts, ends }: TextWords, numerals: readonly NormalForm[]) {
    this.#text = text;
    this.#terms = terms;
    this.#starts = starts;
    this.#ends = ends;
    this.#numeralBefore = new Map(numerals.map((one) => [one.position + one.span, one]));
    this.#numeralAt = new Map(numerals.map((one) => [one.position, one]));
  }

  /** Adds the form of which word `i` is the month, or the first word; the last word that needs no other look. */
  readAt(i: number): number {
    const term = this.#terms[i] as string;
    const month = MONTHS.get(term);
    if (month !== undefined) {
      this.#addMonth(i, month);
      return i;
    }
    if (HOURS.test(term)) this.#addHourInWords(i);
    if (!DIGIT.test(term) || this.#addHour(i) || i + 1 >= this.#terms.length) return i;
    return this.#addDateInDigits(i) ?? this.#addGroupedNumber(i);
  }

  /** `12 mai 2023`, `12th of May`, `May 12, 2023`, `mai 2023`. */
  #addMonth(i: number, month: number): void {
    const terms = this.#terms;
    const year = i + 1 < terms.length && this.#near(i) ? yearOf(terms[i + 1]) : 0;
    const { day: before, at } = i > 0 ? this.#dayBefore(i) : NO_DAY;
    const beforeOf = !before && i > 1 && terms[i - 1] === 'of' ? dayOf(terms[i - 2]) : 0;
    const after =
      !before && !beforeOf && !year && i + 1 < terms.length && this.#near(i) ? dayInDigits(terms[i + 1]) : 0;
    if (before) {
      this.#addOtherDay(year, month, at);
      this.#addDay(year, month, before, at, i - at + (year ? 2 : 1));
    } else if (beforeOf) this.#addDay(year, month, beforeOf, i - 2, year ? 4 : 3);
    else if (after) {
      const itsYear = i + 2 < terms.length && this.#near(i + 1) ? yearOf(terms[i + 2]) : 0;
      this.#addDay(itsYear, month, after, i, itsYear ? 3 : 2);
    } else if (year) this.#add(`#${year}${two(month)}`, i, 2);
  }

  /** `14h30`, `14h`, `14:30`, `14 h 30`; false when there is none. */
  #addHour(i: number): boolean {
    const term = this.#terms[i] as string;
    const [second, third] = [this.#terms[i + 1], this.#terms[i + 2]];
    const hour = /^([01]?\d|2[0-3])h([0-5]\d)?$/.exec(term);
    if (hour) {
      const minutes = hour[2] ?? (this.#near(i) && /^[0-5]\d$/.test(second ?? '') ? second : '00');
      this.#add(`@${two(Number(hour[1]))}${minutes}`, i, 1);
      return true;
    }
    if (second === undefined || !/^([01]?\d|2[0-3])$/.test(term)) return false;
    if (this.#gap(i) === ':' && /^[0-5]\d$/.test(second)) {
      this.#add(`@${two(Number(term))}${second}`, i, 2);
      return true;
    }
    if (second !== 'h') return false;
    const minutes = third !== undefined && /^[0-5]\d$/.test(third) && this.#near(i + 1) ? third : null;
    this.#add(`@${two(Number(term))}${minutes ?? '00'}`, i, minutes ? 3 : 2);
    return true;
  }

  /** `14 heures`, `dix heures trente`: beside its words, which say how long something takes as often. */
  #addHourInWords(i: number): void {
    const numeral = this.#numeralBefore.get(i);
    const at = numeral?.position ?? i - 1;
    if (at < 0 || !this.#near(i - 1)) return;
    const hour = numberOf(numeral?.term ?? (this.#terms[at] as string));
    if (hour === null || hour > 23) return;
    const isNear = i + 1 < this.#terms.length && this.#near(i);
    const after = isNear ? this.#numeralAt.get(i + 1) : undefined;
    const said = after?.term ?? (isNear ? (this.#terms[i + 1] as string) : '');
    const minutes = /^(?:\d|\d{3,})$/.test(said) ? null : numberOf(said);
    const span = minutes !== null && minutes < 60 ? (after?.span ?? 1) : 0;
    const term = `@${two(hour)}${two(span > 0 ? (minutes as number) : 0)}`;
    this.found.push({ term, position: at, span: i - at + 1 + span, isCode: true });
  }

  /** `2023-05-12`, `12/05/2023`, `12/05`, `2023-05`: its last word that can begin no other form; null when there is none. */
  #addDateInDigits(i: number): number | null {
    const terms = this.#terms;
    const mark = this.#gap(i);
    if (mark !== '-' && mark !== '/' && mark !== '.') return null;
    const [term, second, third] = [terms[i] as string, terms[i + 1] as string, terms[i + 2]];
    if (third !== undefined && this.#gap(i + 1) === mark)
      return this.#addWholeDate(i, term, second, third) ? i + 2 : null;
    if (mark === '/' && isDayAndMonth(term, second, terms[i - 1]) && (i === 0 || this.#gap(i - 1) !== '/')) {
      this.#addDay(0, Number(second), Number(term), i, 2);
      return i + 1;
    }
    if (mark === '-' && yearOf(term) && /^(0\d|1[0-2])$/.test(second)) {
      this.#add(`#${yearOf(term)}${second}`, i, 2);
      return i;
    }
    return null;
  }

  /** Year first or last; the day and the month in the French order, in the American one where that is none. */
  #addWholeDate(i: number, term: string, second: string, third: string): boolean {
    if (!/^\d{1,2}$/.test(second)) return false;
    const middle = Number(second);
    if (yearOf(term) && isMonth(middle) && dayOf(third)) {
      this.#addDay(yearOf(term), middle, dayOf(third), i, 3);
      return true;
    }
    if (!yearOf(third) || !dayOf(term)) return false;
    const first = dayOf(term);
    if (isMonth(middle)) this.#addDay(yearOf(third), middle, first, i, 3);
    else if (isMonth(first) && isDay(middle)) this.#addDay(yearOf(third), first, middle, i, 3);
    return true;
  }

  /** `1 200`, `1,200`; its last word, or `i` when there is none. */
  #addGroupedNumber(i: number): number {
    const terms = this.#terms;
    let digits = terms[i] as string;
    if (!/^[1-9]\d{0,2}$/.test(digits)) return i;
    let last = i;
    while (
      last + 1 < terms.length &&
      last - i < 6 &&
      /^\d{3}$/.test(terms[last + 1] as string) &&
      /^[\s\u00a0\u202f.,'’]$/.test(this.#gap(last))
    ) {
      last++;
      digits += terms[last];
    }
    if (last > i) this.#add(digits, i, last - i + 1);
    return last;
  }

  /** The day that stands right before the month at word `i`, and its first word. `sept` is a month after digits alone. */
  #dayBefore(i: number): { day: number; at: number } {
    const terms = this.#terms;
    const numeral = this.#numeralBefore.get(i);
    const isNear = this.#near(i - 1);
    if (terms[i] === 'sept') return { day: isNear ? dayInDigits(terms[i - 1]) : 0, at: i - 1 };
    const day = numeral ? Number(numeral.term) : dayOf(terms[i - 1]);
    return { day: isNear && isDay(day) ? day : 0, at: numeral?.position ?? i - 1 };
  }

  /** The day that shares its month with the one at word `i`: `12` of `du 12 au 14 mai`, of `12-14 mai`. */
  #addOtherDay(year: number, month: number, i: number): void {
    const terms = this.#terms;
    const at = OTHER_DAY.test(terms[i - 1] ?? '') ? i - 2 : i > 0 && this.#gap(i - 1) === '-' ? i - 1 : -1;
    const day = dayOf(terms[at]);
    if (day) this.#addDay(year, month, day, at, 1);
  }

  #addDay(year: number, month: number, day: number, position: number, span: number): void {
    if (year) this.#add(`#${year}${two(month)}${two(day)}`, position, span);
    this.#add(`%${two(month)}${two(day)}`, position, span);
    if (!year) this.#add(`%${two(month)}${two(day)}-`, position, span);
  }

  #add(term: string, position: number, span: number): void {
    this.found.push({ term, position, span });
  }

  /** What stands between word `i` and the next. */
  #gap(i: number): string {
    return this.#text.slice(this.#ends[i], this.#starts[i + 1]);
  }

  #near(i: number): boolean {
    return /^[\s\u00a0,.]{1,3}$/.test(this.#gap(i));
  }
}

/** What may answer a date besides itself: the day said without its year, the month of that day, the year of that month. */
export function widerDates(form: string): string[] {
  const [, year, month, day] = /^#(\d{4})(\d\d)(\d\d)?$/.exec(form) ?? [];
  if (year === undefined) return [];
  return day === undefined ? [year] : [`%${month}${day}-`, `#${year}${month}`];
}
