import type { Folded } from './fold.ts';

/** The entities that stand for what the rules look at; any sign may be written by its number. */
const NAMED: Readonly<Record<string, string>> = {
  mdash: '\u2014',
  horbar: '\u2015',
  ndash: '\u2013',
  minus: '\u2212',
  hyphen: '\u2010',
  dash: '\u2010',
  shy: '\u00ad',
  nbsp: '\u00a0',
  ensp: '\u2002',
  emsp: '\u2003',
  thinsp: '\u2009',
  rsquo: '’',
  lsquo: '‘',
  apos: "'",
  quot: '"',
  amp: '&',
  lt: '<',
  gt: '>',
  lbrace: '{',
  rbrace: '}',
  lbrack: '[',
  rbrack: ']',
};
const ENTITY = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]{2,6}));/g;

/**
 * The text with its HTML entities as the signs that they stand for, and where each of its units came from: « &mdash; » is a long dash
 * for whoever pastes it from a page. What names no sign stays as it was typed. Linear.
 */
export function decodeEntities(original: string): Folded {
  const pieces: string[] = [];
  const origins: number[] = [];
  let from = 0;
  const keep = (to: number) => {
    pieces.push(original.slice(from, to));
    for (let unit = from; unit < to; unit += 1) origins.push(unit);
  };
  for (const match of original.matchAll(ENTITY)) {
    const sign = signOf(match);
    if (sign === undefined) continue;
    keep(match.index);
    pieces.push(sign);
    for (let unit = 0; unit < sign.length; unit += 1) origins.push(match.index);
    from = match.index + match[0].length;
  }
  keep(original.length);
  origins.push(original.length);
  return { text: pieces.join(''), origins };
}

function signOf([, decimal, hexadecimal, name]: RegExpExecArray): string | undefined {
  if (name !== undefined) return Object.hasOwn(NAMED, name) ? NAMED[name] : undefined;
  const point = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
  const isSign = point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
  return isSign ? String.fromCodePoint(point) : undefined;
}
