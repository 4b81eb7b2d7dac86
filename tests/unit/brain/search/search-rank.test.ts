import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Source } from '#lib/brain/search/index/candidates.ts';
import { ListBuilder } from '#lib/brain/search/index/lists.ts';
import { countMatches, rankSources } from '#lib/brain/search/index/rank.ts';
import { matchStart } from '#lib/brain/search/matching/match.ts';
import { atOnce, Pace } from '#lib/brain/search/matching/pace.ts';
import { parseQuery, type Query } from '#lib/brain/search/matching/query.ts';
import { analysingMemory } from '#lib/brain/search/matching/terms.ts';
import { rankDocuments, type SearchDocument } from '#tests/eval/exhaustive.ts';

/** From frequent to rare: from the second word on, each is drawn half as often as the one before it. The first is the rarest. */
const WORDS = ['lampe', 'bois', 'table', 'de', 'bora', 'cuivre', 'lampes', 'S.A.R.L.', 'sarl', 'mot. Autre'];
const word = fc.nat(1_023).map((n) => WORDS[Math.min(WORDS.length - 1, Math.clz32(n + 1) - 21)] as string);
const text = (maxLength: number) =>
  fc.array(word, { minLength: 1, maxLength }).map((words) => words.join(' '));
const documents = fc.array(fc.record({ title: text(4), body: text(60) }), { minLength: 1, maxLength: 120 });
const query = fc.oneof(
  fc
    .array(fc.constantFrom(...WORDS, 'lam', 'tab', 's'), { minLength: 1, maxLength: 7 })
    .map((words) => words.join(' ')),
  fc.constantFrom(
    'bora bora',
    'lampe lampe bois',
    'cuivre de de de de de de de de de de de de de de de de de de bois',
  ),
);

/** What was typed, with the words at these bits marked as being in the name of the Space. */
function named(q: string, bits: number, total: number): Query {
  const asked = parseQuery(q);
  for (const [at, word] of asked.words.entries()) if ((bits & (1 << at)) !== 0) word.named = total;
  return asked;
}

/** A function word beside content words: the bounds of those must not apply to it. */
const FUNCTION_WORD: [{ title: string; body: string }[], string, number, number, number] = [
  [
    { title: 'cuivre', body: 'mot. Autre' },
    { title: 'bora', body: 'cuivre mot. Autre' },
    { title: 'mot. Autre', body: 'mot. Autre' },
  ],
  'cuivre mot. Autre',
  1,
  0,
  0,
];

/** Memories as a segment holds them, and which of them are outside the scope. */
function sourceOf(some: readonly SearchDocument[], isOut: (at: number) => boolean, q: string): Source {
  const analysed = some.map(({ title, body }) => atOnce(analysingMemory(title, body)));
  const bodyLength = analysed.map((one) => one.bodyLength);
  const excluded = Uint8Array.from(some, (_, at) => (isOut(at) ? 1 : 0));
  return {
    count: some.length,
    live: excluded.filter((one) => one === 0).length,
    ids: some.map(({ id }) => id),
    stamps: some.map(({ id }) => id),
    updatedAt: some.map(({ updatedAt }) => updatedAt.getTime()),
    titleLength: analysed.map((one) => one.titleLength),
    excluded: excluded.includes(1) ? excluded : null,
    lists: parseQuery(q).words.map((one) => {
      const builder = new ListBuilder({ count: some.length, bodyLength });
      for (const [at, memory] of analysed.entries())
        atOnce(builder.addingMemory(at, memory, (term) => matchStart(one, term)));
      return atOnce(builder.building());
    }),
  };
}

test('the best few are those of scoring every Memory, in order and with their scores, however much is passed over', async () => {
  await fc.assert(
    fc.asyncProperty(
      documents,
      query,
      fc.integer({ min: 1, max: 8 }),
      fc.nat(5),
      fc.nat(7),
      async (drawn, q, limit, out, bits) => {
        const all = drawn.map((one, at) => ({
          ...one,
          id: `m${String(at).padStart(3, '0')}`,
          updatedAt: new Date(at % 7),
        }));
        const half = Math.ceil(all.length / 2);
        const isOut = (at: number) => out > 1 && at % out === 0;
        const parts = [all.slice(0, half), all.slice(half)];
        const sources = parts.map((some) => sourceOf(some, isOut, q));
        const searched = parts.flatMap((some) => some.filter((_, at) => !isOut(at)));
        const asked = named(q, bits, searched.length);
        const ranked = await rankSources(asked, sources, countMatches(asked, sources), limit, new Pace());
        // A word that no term starts with is searched for in another way, which is not tested here.
        fc.pre(asked.words.every((_, at) => sources.some(({ lists }) => (lists[at]?.length ?? 0) > 0)));
        const expected = rankDocuments(named(q, bits, searched.length), searched).slice(0, limit);
        expect(ranked.map(({ memoryId, score }) => [memoryId, score])).toEqual(
          expected.map(({ document, score }) => [document.id, score]),
        );
      },
    ),
    { numRuns: 1_000, examples: [FUNCTION_WORD] },
  );
});

/** What a ranking reads: Memories whose score it adds up, and places in the lists of the words. */
type Looked = { memories: number; places: number };

/** The same object, with its elements counted as they are read. */
function counting<T extends object>(of: T, add: () => void): T {
  return new Proxy(of, {
    get(target, key) {
      if (typeof key === 'string' && /^\d+$/.test(key)) add();
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Memories that all contain one word, one in three in its title, and of which `rare` contain another, in segments of 1,000. */
async function lookedAt(segments: number, rare: number): Promise<Looked> {
  const every = (segments * 1_000) / rare;
  const all = Array.from({ length: segments * 1_000 }, (_, at) => ({
    id: `m${String(at).padStart(6, '0')}`,
    title: `${at % 3 === 0 ? 'Lampe' : 'Note'} ${at % 7}`,
    body: `Une lampe posée là${at % every === 1 ? ' et du cuivre' : ''}.`,
    updatedAt: new Date(at),
  }));
  const q = 'lampe cuivre';
  const asked = parseQuery(q);
  const looked = { memories: 0, places: 0 };
  const place = () => {
    looked.places++;
  };
  const sources = Array.from({ length: segments }, (_, n) => {
    const source = sourceOf(all.slice(n * 1_000, (n + 1) * 1_000), () => false, q);
    return {
      ...source,
      titleLength: counting(source.titleLength as number[], () => {
        looked.memories++;
      }),
      lists: source.lists.map(
        (list) =>
          list && { ...list, docs: counting(list.docs, place), titleDocs: counting(list.titleDocs, place) },
      ),
    };
  });
  const ranked = await rankSources(asked, sources, countMatches(asked, sources), 20, new Pace());
  const expected = rankDocuments(parseQuery(q), all).slice(0, 20);
  expect(ranked.map(({ memoryId }) => memoryId)).toEqual(expected.map(({ document }) => document.id));
  return looked;
}

test('what is looked at for the results grows with the Memories that hold the rarest word, not with the account', async () => {
  const small = await lookedAt(2, 40);
  const large = await lookedAt(12, 40);
  const twice = await lookedAt(12, 80);
  expect([small.memories, large.memories, twice.memories]).toEqual([40, 40, 80]);
  // Forty places are looked up among 12,000 Memories that contain the other word.
  expect(large.places).toBeLessThan(1.5 * small.places);
  expect(twice.places).toBeLessThan(2.5 * large.places);
});
