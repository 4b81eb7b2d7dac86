import { shared, sketchOf } from '#lib/brain/likeness/sketch.ts';
import { type Random, seededRandom } from '#tests/bench/search-corpus.ts';
import { CORPUS } from '#tests/bench/search-fr/corpus.ts';
import { pairsOf } from '#tests/factories/text-steps.ts';

/** The text with about this share of its words replaced by words of nobody's. */
export function spoil(text: string, share: number, random: Random): string {
  return text
    .split(/(\s+)/)
    .map((part) => (/\p{L}/u.test(part) && random() < share ? `mot${Math.floor(random() * 1e9)}` : part))
    .join('');
}

type Recall = { all: number; found: number };

/**
 * Texts of the French corpus, cut into passages and repeated with more and more words changed, compared two by two by all their pairs of words, and by bands:
 * of the couples that are alike, how many share a band; of the couples that share one, how many are not alike.
 */
export async function sketchRecall(texts: number): Promise<{
  texts: number;
  couples: number;
  from08: Recall;
  from06: Recall;
  looked: number;
  unlike: number;
}> {
  const random = seededRandom(20261122);
  const passages = CORPUS.flatMap(({ title, body }) => {
    const words = body.split(/\s+/);
    return Array.from({ length: Math.ceil(words.length / 60) }, (_, i) => ({
      title: `${title} ${i}`,
      body: words.slice(i * 60, i * 60 + 60).join(' '),
    }));
  }).filter(({ body }) => body.length > 120);
  const set = Array.from({ length: texts }, (_, i) => {
    const { title, body } = passages[Math.floor(i / 4) % passages.length] as { title: string; body: string };
    const share = i % 4 === 0 ? 0 : random() * 0.2;
    return { title, body: spoil(body, share, random) };
  });
  const pairs = set.map(({ title, body }) => pairsOf(title, body));
  const bands = await Promise.all(pairs.map(async (one) => (await sketchOf('acc_eval', one)).bands));
  const result = {
    texts,
    couples: 0,
    from08: { all: 0, found: 0 },
    from06: { all: 0, found: 0 },
    looked: 0,
    unlike: 0,
  };
  for (let i = 0; i < set.length; i++)
    for (let j = 0; j < i; j++) {
      const share = shared(pairs[i] as Uint32Array, pairs[j] as Uint32Array);
      const meets = bands[i]?.some((band, at) => band === bands[j]?.[at]) ?? false;
      result.couples += 1;
      if (meets) result.looked += 1;
      if (meets && share < 0.6) result.unlike += 1;
      for (const [recall, least] of [
        [result.from08, 0.8],
        [result.from06, 0.6],
      ] as const) {
        if (share < least) continue;
        recall.all += 1;
        if (meets) recall.found += 1;
      }
    }
  return result;
}
