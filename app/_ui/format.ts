import { formatUsd } from '#lib/core/money.ts';
import { ordinalDay } from '#lib/core/text/ordinal-day.ts';

const NBSP = '\u00a0';
const integers = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 0 });
const decimals = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 1 });
const percents = new Intl.NumberFormat('fr-FR', { style: 'percent', maximumFractionDigits: 0 });
const relatives = new Intl.RelativeTimeFormat('fr-FR');
const shortRelatives = new Intl.RelativeTimeFormat('fr-FR', { style: 'short' });
const relativeDays = new Intl.RelativeTimeFormat('fr-FR', { numeric: 'auto' });
const plurals = new Intl.PluralRules('fr-FR');

/** Replaces the ordinary spaces of French punctuation by no-break spaces; adds none. */
export function nbsp(text: string): string {
  return text.replace(/ (?=[:;!?»])/g, NBSP).replace(/« /g, `«${NBSP}`);
}

/** An integer with French thousands, e.g. `12 480`. */
export function number(value: number | bigint): string {
  return integers.format(value);
}

/** A share between 0 and 1, e.g. `42 %`. */
export function percent(share: number): string {
  return percents.format(share);
}

/** A count and the word that agrees with it: `0 lecture`, `1 lecture`, `2 lectures`. */
export function count(value: number, one: string, many = `${one}s`): string {
  // The displayed, rounded number decides: « 2 » is plural.
  return `${number(value)}${NBSP}${plurals.select(Math.round(value)) === 'one' ? one : many}`;
}

/** « de » before a name: `d’Agnès`, `de Thomas`. An initial h is silent, except in « Ha- », « Hou- » (Harold, Houria) and Hugo. */
export function ofName(name: string): string {
  const plain = name.normalize('NFD').toLowerCase();
  return /^([aeiouœæ]|h(?!a|ou|ugo\b)|y[^aeiou])/.test(plain) ? `d’${name}` : `de ${name}`;
}

/** A size given in bytes, in units of 1024, e.g. `1,5 Mo`. */
export function bytes(value: number): string {
  const units = ['o', 'Ko', 'Mo', 'Go', 'To'];
  let size = value;
  let unit = 0;
  while (Math.abs(size) >= 1023.95 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${decimals.format(size)}${NBSP}${units[unit]}`;
}

/** Micro-dollars in French, e.g. `0,0421 $US`; with as many decimals as needed, or exactly `digits`. */
export function usd(micros: bigint, digits?: number): string {
  return formatUsd(micros, digits);
}

/** An amount and the word that agrees with it, e.g. `0,50 $US accordé`, `2,00 $US accordés`. */
export function usdThat(micros: bigint, word: string): string {
  // The displayed, rounded amount decides: « 2,00 » is plural.
  const isPlural = micros >= 1_999_950n || micros <= -1_999_950n;
  return `${usd(micros)} ${word}${isPlural ? 's' : ''}`;
}

type DateLike = Date | string | number;
const PARIS = 'Europe/Paris';

/** Creating a format takes forty times as long as using it, and memory outside the heap: each is created once. */
const dateFormats = new Map<string, Intl.DateTimeFormat>();

function formatDate(options: Intl.DateTimeFormatOptions, at: DateLike, timeZone: string | undefined): string {
  const key = JSON.stringify([options, timeZone]);
  let format = dateFormats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat('fr-FR', timeZone ? { ...options, timeZone } : options);
    dateFormats.set(key, format);
  }
  return ordinalDay(format, new Date(at));
}

/** `21 novembre 2026`, in Paris unless another time zone is given. */
export function date(at: DateLike, timeZone: string | undefined = PARIS): string {
  return formatDate({ day: 'numeric', month: 'long', year: 'numeric' }, at, timeZone);
}

/** `21 nov.`, for axes and dense rows. */
export function shortDate(at: DateLike, timeZone: string | undefined = PARIS): string {
  return formatDate({ day: 'numeric', month: 'short' }, at, timeZone);
}

/** `samedi 21 novembre 2026 à 10:28:03 (heure de Paris)`: the exact time that is shown on hover. */
export function exactTime(at: DateLike): string {
  const text = formatDate({ dateStyle: 'full', timeStyle: 'medium' }, at, PARIS);
  return `${text} (heure de Paris)`;
}

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

const parisDates = new Intl.DateTimeFormat('sv-SE', { timeZone: PARIS });
/** The number of days from 1 January 1970 to the date in Paris. */
const parisDay = (at: DateLike) => Date.parse(parisDates.format(new Date(at))) / 86_400_000;

/**
 * `il y a 3 minutes`, `dans 12 jours`; under 45 seconds, `à l’instant` or `dans un instant`. `short`: `il y a 3 min`. Days are calendar days in Paris
 * (`hier` is always the previous date); months and years are durations.
 */
export function relative(at: DateLike, now: DateLike, short = false): string {
  const seconds = (new Date(at).getTime() - new Date(now).getTime()) / 1000;
  const size = Math.abs(seconds);
  if (size < 45) return seconds > 5 ? 'dans un instant' : 'à l’instant';
  for (const [unit, length] of STEPS) {
    // A unit starts slightly early (58 min reads « 1 heure »), so that rounding never gives « 60 minutes ».
    if (size < length * 0.96 && unit !== 'minute') continue;
    if (unit === 'day') {
      const days = parisDay(at) - parisDay(now);
      if (days !== 0) return relativeDays.format(days, unit);
      continue;
    }
    // Longer units are not shortened: their abbreviations would be hard to read.
    const words = short && (unit === 'minute' || unit === 'hour') ? shortRelatives : relatives;
    // The last hour before a day is not rounded up to 24 hours.
    const whole = unit === 'hour' && size > 82_800 ? Math.floor : Math.round;
    return words.format(Math.sign(seconds) * Math.max(1, whole(size / length)), unit);
  }
  return 'à l’instant';
}

/** How long ago something happened, e.g. `il y a 3 minutes`. A time in the future reads as now, because the clocks of two machines differ. */
export function age(at: DateLike, now: DateLike, short = false): string {
  const today = new Date(now).getTime();
  return relative(Math.min(new Date(at).getTime(), today), today, short);
}

/** A duration in its two largest units, e.g. `1 min 20 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))}${NBSP}ms`;
  const total = Math.round(ms / 1000);
  const parts: [number, string][] = [
    [Math.floor(total / 86_400), 'j'],
    [Math.floor(total / 3_600) % 24, 'h'],
    [Math.floor(total / 60) % 60, 'min'],
    [total % 60, 's'],
  ];
  const first = parts.findIndex(([value]) => value > 0);
  return parts
    .slice(first, first + 2)
    .filter(([value]) => value > 0)
    .map(([value, unit]) => `${value}${NBSP}${unit}`)
    .join(' ');
}

/** The text with a capital first letter. */
export const capitalized = (text: string): string => text.charAt(0).toLocaleUpperCase('fr') + text.slice(1);
