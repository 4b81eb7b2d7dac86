import type { NormalForm, TextWords } from './forms.ts';
import { numberInLetters } from './numerals.ts';
import type { Steps } from './pace.ts';

/**
 * Dates, hours and numbers as people write them, in one form each: `12 mai 2023`, `douze mai 2023`, `12/05/2023`, `May 12, 2023` and `2023-05-12` are `#20230512`;
 * a day of any year is `%0512` (`12 mai`, `du 12/05`; in `du 12 au 14 mai` both are), and `%0512-` too where no year is said; a month is `#202305`, `14h30` and `14:30` are `@1430`,
 * `1 200` and `1,200` are `1200`.
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
  { terms, starts, ends }: TextWords,
  numerals: readonly NormalForm[],
): Steps<NormalForm[]> {
  const found: NormalForm[] = [];
  /** What stands between word `i` and the next. */
  const gap = (i: number) => text.slice(ends[i], starts[i + 1]);
  const near = (i: number) => /^[\s\u00a0,.]{1,3}$/.test(gap(i));
  const add = (term: string, position: number, span: number) => found.push({ term, position, span });
  const addDay = (year: number, month: number, day: number, position: number, span: number) => {
    if (year) add(`#${year}${two(month)}${two(day)}`, position, span);
    add(`%${two(month)}${two(day)}`, position, span);
    if (!year) add(`%${two(month)}${two(day)}-`, position, span);
  };
  /** The numbers of several words, by the word after each. */
  const numeralBefore = new Map(numerals.map((one) => [one.position + one.span, one]));
  /** The day that stands right before the month at word `i`, and its first word. `sept` is a month after digits alone. */
  const dayBefore = (i: number): { day: number; at: number } => {
    const numeral = numeralBefore.get(i);
    if (terms[i] === 'sept') return { day: near(i - 1) ? dayInDigits(terms[i - 1]) : 0, at: i - 1 };
    const day = numeral ? Number(numeral.term) : dayOf(terms[i - 1]);
    return { day: near(i - 1) && isDay(day) ? day : 0, at: numeral?.position ?? i - 1 };
  };
  /** The day that shares its month with the one at word `i`: `12` of `du 12 au 14 mai`, of `12-14 mai`. */
  const addOtherDay = (year: number, month: number, i: number) => {
    const at = OTHER_DAY.test(terms[i - 1] ?? '') ? i - 2 : i > 0 && gap(i - 1) === '-' ? i - 1 : -1;
    const day = dayOf(terms[at]);
    if (day) addDay(year, month, day, at, 1);
  };

  let next = STEP;
  for (let i = 0; i < terms.length; i++) {
    if (i >= next) {
      next = i + STEP;
      yield;
    }
    const term = terms[i] as string;
    const month = MONTHS.get(term);
    if (month !== undefined) {
      const year = i + 1 < terms.length && near(i) ? yearOf(terms[i + 1]) : 0;
      const { day: before, at } = i > 0 ? dayBefore(i) : NO_DAY;
      const beforeOf = !before && i > 1 && terms[i - 1] === 'of' ? dayOf(terms[i - 2]) : 0;
      const after =
        !before && !beforeOf && !year && i + 1 < terms.length && near(i) ? dayInDigits(terms[i + 1]) : 0;
      if (before) {
        addOtherDay(year, month, at);
        addDay(year, month, before, at, i - at + (year ? 2 : 1));
      } else if (beforeOf) addDay(year, month, beforeOf, i - 2, year ? 4 : 3);
      else if (after) {
        const itsYear = i + 2 < terms.length && near(i + 1) ? yearOf(terms[i + 2]) : 0;
        addDay(itsYear, month, after, i, itsYear ? 3 : 2);
      } else if (year) add(`#${year}${two(month)}`, i, 2);
      continue;
    }
    if (!DIGIT.test(term)) continue;
    const hour = /^([01]?\d|2[0-3])h([0-5]\d)?$/.exec(term);
    if (hour) {
      const minutes = hour[2] ?? (near(i) && /^[0-5]\d$/.test(terms[i + 1] ?? '') ? terms[i + 1] : '00');
      add(`@${two(Number(hour[1]))}${minutes}`, i, 1);
      continue;
    }
    if (i + 1 >= terms.length) continue;
    const [second, third] = [terms[i + 1] as string, terms[i + 2]];
    const mark = gap(i);
    if (mark === ':' && /^([01]?\d|2[0-3])$/.test(term) && /^[0-5]\d$/.test(second)) {
      add(`@${two(Number(term))}${second}`, i, 2);
      continue;
    }
    if (second === 'h' && /^([01]?\d|2[0-3])$/.test(term)) {
      const minutes = third !== undefined && /^[0-5]\d$/.test(third) && near(i + 1) ? third : null;
      add(`@${two(Number(term))}${minutes ?? '00'}`, i, minutes ? 3 : 2);
      continue;
    }
    if (mark === '-' || mark === '/' || mark === '.') {
      const whole = third !== undefined && gap(i + 1) === mark;
      if (
        whole &&
        yearOf(term) &&
        /^\d{1,2}$/.test(second) &&
        Number(second) >= 1 &&
        Number(second) <= 12 &&
        dayOf(third)
      ) {
        addDay(yearOf(term), Number(second), dayOf(third), i, 3);
        i += 2;
        continue;
      }
      if (whole && yearOf(third) && dayOf(term) && /^\d{1,2}$/.test(second)) {
        const [a, b] = [dayOf(term), Number(second)];
        if (b >= 1 && b <= 12) addDay(yearOf(third), b, a, i, 3);
        else if (a <= 12 && isDay(b)) addDay(yearOf(third), a, b, i, 3);
        i += 2;
        continue;
      }
      if (
        !whole &&
        mark === '/' &&
        isDayAndMonth(term, second, terms[i - 1]) &&
        (i === 0 || gap(i - 1) !== '/')
      ) {
        addDay(0, Number(second), Number(term), i, 2);
        i++;
        continue;
      }
      if (!whole && mark === '-' && yearOf(term) && /^(0\d|1[0-2])$/.test(second)) {
        add(`#${yearOf(term)}${second}`, i, 2);
        continue;
      }
    }
    if (/^[1-9]\d{0,2}$/.test(term)) {
      let last = i;
      let digits = term;
      while (
        last + 1 < terms.length &&
        last - i < 6 &&
        /^\d{3}$/.test(terms[last + 1] as string) &&
        /^[\s\u00a0\u202f.,'’]$/.test(gap(last))
      ) {
        last++;
        digits += terms[last];
      }
      if (last > i) {
        add(digits, i, last - i + 1);
        i = last;
      }
    }
  }
  return found;
}

/** What may answer a date besides itself: the day said without its year, the month of that day, the year of that month. */
export function widerDates(form: string): string[] {
  const [, year, month, day] = /^#(\d{4})(\d\d)(\d\d)?$/.exec(form) ?? [];
  if (year === undefined) return [];
  return day === undefined ? [year] : [`%${month}${day}-`, `#${year}${month}`];
}
