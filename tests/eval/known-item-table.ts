import { searchMemories } from '#lib/brain/search/search-memories.ts';
import type { Connection } from '#lib/db/connection.ts';
import { CORPUS } from '#tests/bench/search-fr/corpus.ts';
import { updatedAtOf } from '#tests/bench/search-fr/evaluate.ts';
import { makeEvalAccount } from './account.ts';
import type { KnownItem } from './known-items.ts';
import { miniSearch, nameSettings, orama, type Peer, type PeerSettings } from './peers.ts';

export type KnownItemResult = {
  name: string;
  mrr10: number;
  success1: number;
  byKind: Record<string, number>;
  /** What is not found first: the place of the first Memory that was expected, 0 when none of the first ten is. */
  missed: { q: string; kind: string; place: number }[];
};

const documents = CORPUS.map(({ key, title, body }, i) => ({
  id: key,
  title,
  body,
  updatedAt: updatedAtOf(i),
}));

/** The mean reciprocal rank of what is expected among the first ten, over all queries and by class; for negatives the share that finds nothing. */
async function measureKnownItems(
  items: readonly KnownItem[],
  name: string,
  answer: Peer,
): Promise<KnownItemResult> {
  const sums = new Map<string, { count: number; sum: number }>();
  const missed: KnownItemResult['missed'] = [];
  let mrr10 = 0;
  let success1 = 0;
  let positives = 0;
  for (const { q, expected, kind } of items) {
    const found = await answer(q, 10);
    const at = found.slice(0, 10).findIndex((id) => expected.includes(id));
    const isNegative = kind === 'negative';
    const value = isNegative ? Number(found.length === 0) : at < 0 ? 0 : 1 / (at + 1);
    const entry = sums.get(kind) ?? { count: 0, sum: 0 };
    sums.set(kind, { count: entry.count + 1, sum: entry.sum + value });
    if (isNegative) continue;
    positives++;
    if (at !== 0) missed.push({ q, kind, place: at + 1 });
    mrr10 += value;
    if (at === 0) success1++;
  }
  const byKind = Object.fromEntries([...sums].map(([kind, { count, sum }]) => [kind, sum / count]));
  return { name, mrr10: mrr10 / positives, success1: success1 / positives, byKind, missed };
}

/** Search over the French corpus, for `compareKnownItems`. */
export async function searchKnownItems(connection: Connection): Promise<Peer> {
  const { ctx } = await makeEvalAccount(connection, 'Maison Verdoux', documents);
  return async (q, limit) => (await searchMemories(ctx, { q, limit })).data.map(({ memoryId }) => memoryId);
}

/** The peers over the French corpus, in each of their settings, and what each setting is called. */
export async function peersOnCorpus(peers: PeerSettings): Promise<[name: string, peer: Peer][][]> {
  const mini = peers.miniSearch.map((settings): [string, Peer] => [
    `MiniSearch (${nameSettings(settings)})`,
    miniSearch(documents, settings),
  ]);
  const others: [string, Peer][] = [];
  for (const settings of peers.orama)
    others.push([`Orama (${nameSettings(settings)})`, await orama(documents, settings)]);
  return [mini, others];
}

/** Search, then each peer in the setting that serves it best on these very queries. */
export async function compareKnownItems(
  search: Peer,
  items: readonly KnownItem[],
  peers: readonly (readonly [name: string, peer: Peer][])[],
): Promise<KnownItemResult[]> {
  const results = [await measureKnownItems(items, 'Atelier', search)];
  for (const settings of peers) {
    const measured: KnownItemResult[] = [];
    for (const [name, peer] of settings) measured.push(await measureKnownItems(items, name, peer));
    results.push(measured.reduce((a, b) => (b.mrr10 > a.mrr10 ? b : a)));
  }
  return results;
}
