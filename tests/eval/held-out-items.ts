import { isFunctionWord } from '#lib/brain/search/matching/function-words.ts';
import { type Random, seededRandom } from '#tests/bench/search-corpus.ts';
import type { EvaluationMemory } from '#tests/bench/search-fr/corpus.ts';
import { holders, type KnownItem, mistyped, type Word, wordsOf, written } from './known-items.ts';

// Queries drawn by rule and by seed, which nothing was tuned on: what is expected is whatever Memory holds all that was typed, one to three of them.

type Drawn = { q: string; holds: readonly ((word: string) => boolean)[] };

const is = (wanted: string) => (word: string) => word === wanted;
const starts = (wanted: string) => (word: string) => word.startsWith(wanted);
const holdsAll = (tests: Drawn['holds']) =>
  holders(({ words }) => tests.every((test) => [...words].some(test)));

const naming = (text: string): Word[] =>
  wordsOf(text).filter(({ folded }) => /^[a-z]{4,}$/.test(folded) && !isFunctionWord(folded));
const pick = <T>(random: Random, values: readonly T[]): T | undefined =>
  values[Math.floor(random() * values.length)];
const bare = (text: string) => text.normalize('NFD').replace(/[\u0300-\u036f]/g, '');

/** Two different words that name something, of one sentence. */
function pair(random: Random, { body }: EvaluationMemory): [Word, Word] | null {
  const words = naming(pick(random, body.split(/(?<=[.!?])\s/)) ?? '');
  const [a, b] = [pick(random, words), pick(random, words)];
  return a && b && a.folded !== b.folded ? [a, b] : null;
}

type Rule = (random: Random, memory: EvaluationMemory) => Drawn | null;

const ofPair =
  (make: (a: Word, b: Word, random: Random) => Drawn | null): Rule =>
  (random, memory) => {
    const words = pair(random, memory);
    return words && make(...words, random);
  };

const RULES: Record<string, Rule> = {
  accents: ofPair((a, b) =>
    a.text === bare(a.text)
      ? null
      : {
          q: `${bare(a.text).toUpperCase()} ${bare(b.text).toLowerCase()}`,
          holds: [is(a.folded), is(b.folded)],
        },
  ),
  elision: (random, { body }) => {
    const found = pick(random, [...body.matchAll(/(?<=^|\s)([ldnsLDNS]|qu)[’']([\p{L}]{4,})/gu)]);
    const other = pick(random, naming(body));
    const [noun] = naming(found?.[2] ?? '');
    if (!found || !noun || !other || other.folded === noun.folded) return null;
    return { q: `${other.text} ${found[1]} ${noun.text}`, holds: [is(noun.folded), is(other.folded)] };
  },
  'two words of the body': ofPair((a, b) => ({
    q: `${a.text} ${b.text}`,
    holds: [is(a.folded), is(b.folded)],
  })),
  inflection: ofPair((a, b) => {
    if (!/[a-z]{5,}[^sxz]$/.test(a.folded)) return null;
    return { q: `${a.text}s ${b.text}`, holds: [is(a.folded), is(b.folded)] };
  }),
  prefix: ofPair((a, b, random) => {
    const cut = b.folded.slice(0, 3 + Math.floor(random() * 3));
    return cut === b.folded ? null : { q: `${a.text} ${cut}`, holds: [is(a.folded), starts(cut)] };
  }),
  'five-word phrase': (random, { body }) => {
    const words = wordsOf(pick(random, body.split(/[.!?:;]/)) ?? '');
    const from = Math.floor(random() * Math.max(1, words.length - 4));
    const five = words.slice(from, from + 5);
    if (five.length < 5) return null;
    return { q: five.map(({ text }) => text).join(' '), holds: five.map(({ folded }) => is(folded)) };
  },
  'words shuffled': (random, { title, body }) => {
    const words = [0, 0, 0].map(() => pick(random, naming(`${title}. ${body}`)));
    const own = [...new Set(words.map((word) => word?.folded ?? ''))];
    return own.length < 3 || own.includes('') ? null : { q: own.join(' '), holds: own.map(is) };
  },
  'one typing error': ofPair((a, b, random) => {
    const wrong = mistyped(a.folded, random);
    if (a.folded.length < 6 || holdsAll([starts(wrong)]).length > 0) return null;
    return { q: `${wrong} ${b.text}`, holds: [is(a.folded), is(b.folded)] };
  }),
  'typing error alone': (random, { title, body }) => {
    const word = pick(random, naming(`${title}. ${body}`))?.folded ?? '';
    const wrong = mistyped(word || 'x', random);
    if (word.length < 6 || holdsAll([starts(wrong)]).length > 0) return null;
    return { q: wrong, holds: [starts(word.slice(0, -1))] };
  },
};

export const HELD_OUT_KINDS = Object.keys(RULES);
const PER_KIND = 40;

/** The queries, always the same. */
export const HELD_OUT_ITEMS: readonly KnownItem[] = HELD_OUT_KINDS.flatMap((kind) => {
  const random = seededRandom(81_649);
  const items: KnownItem[] = [];
  for (let tries = 0; items.length < PER_KIND && tries < 20_000; tries++) {
    const memory = pick(random, written) as EvaluationMemory;
    const drawn = (RULES[kind] as Rule)(random, memory);
    if (!drawn || items.some(({ q }) => q === drawn.q)) continue;
    const expected = holdsAll(drawn.holds);
    if (expected.length >= 1 && expected.length <= 3) items.push({ q: drawn.q, expected, kind });
  }
  return items;
});
