import { parseQuery } from '#lib/brain/search/matching/query.ts';
import { updatedAtOf } from '#tests/bench/search-fr/evaluate.ts';
import { ExhaustiveScorer } from '../exhaustive.ts';
import {
  miniSearch,
  nameSettings,
  orama,
  type Peer,
  type PeerDocument,
  type PeerSettings,
} from '../peers.ts';
import type { StrangerBrand, StrangerKind } from './brand.ts';

/** Of the questions that some Memory answers: how many have one of those wanted first, among the first three, and the mean of the reciprocals of its place. */
export type StrangerScore = { first: number; three: number; mrr10: number };
export type StrangerResult = StrangerScore & {
  name: string;
  byKind: Partial<Record<StrangerKind, StrangerScore>>;
  /** What is not found first: the place of the first Memory that was wanted, 0 when none of the first ten is. */
  missed: { space: string; q: string; kind: StrangerKind; place: number }[];
  /** Questions that nothing answers, and for how many of them nothing is found. */
  unanswered: { asked: number; silent: number };
};

type Document = PeerDocument & { updatedAt: Date };
type Engine = (documents: readonly Document[]) => Peer | Promise<Peer>;

const documentsOf = ({ memories }: StrangerBrand): Document[] =>
  memories.map(([id, , title, body], i) => ({ id, title, body, updatedAt: updatedAtOf(i) }));

/** What search answers, worked out without an index: the first section of the page says that it is the same. */
const ours: Engine = (documents) => {
  const scorer = new ExhaustiveScorer(documents);
  return (q, limit) => scorer.rank(parseQuery(q), undefined, limit).map(({ document }) => document.id);
};

function scoreOf(places: readonly number[]): StrangerScore {
  const share = (test: (place: number) => boolean) => places.filter(test).length / places.length;
  return {
    first: share((place) => place === 1),
    three: share((place) => place >= 1 && place <= 3),
    mrr10: places.reduce((sum, place) => sum + (place === 0 ? 0 : 1 / place), 0) / places.length,
  };
}

async function measure(
  brands: readonly StrangerBrand[],
  name: string,
  engine: Engine,
): Promise<StrangerResult> {
  const asked: StrangerResult['missed'] = [];
  const unanswered = { asked: 0, silent: 0 };
  for (const brand of brands) {
    const answer = await engine(documentsOf(brand));
    for (const [kind, q, ...expected] of brand.questions) {
      const found = (await answer(q, 10)).slice(0, 10);
      if (expected.length === 0) {
        unanswered.asked++;
        if (found.length === 0) unanswered.silent++;
        continue;
      }
      const place = found.findIndex((id) => expected.includes(id)) + 1;
      asked.push({ space: brand.space, q, kind, place });
    }
  }
  const placesOf = (those: typeof asked) => those.map(({ place }) => place);
  const kinds = [...new Set(asked.map(({ kind }) => kind))];
  return {
    name,
    ...scoreOf(placesOf(asked)),
    byKind: Object.fromEntries(
      kinds.map((kind) => [kind, scoreOf(placesOf(asked.filter((one) => one.kind === kind)))]),
    ),
    missed: asked.filter(({ place }) => place !== 1),
    unanswered,
  };
}

/** What search finds of the questions. */
export const measureStrangers = (brands: readonly StrangerBrand[]): Promise<StrangerResult> =>
  measure(brands, 'Atelier', ours);

/** Search, then each peer in the setting that serves it best on these very questions. */
export async function compareStrangers(
  brands: readonly StrangerBrand[],
  peers: PeerSettings,
): Promise<StrangerResult[]> {
  const tried: [string, Engine][][] = [
    peers.miniSearch.map((settings) => [
      `MiniSearch (${nameSettings(settings)})`,
      (documents) => miniSearch(documents, settings),
    ]),
    peers.orama.map((settings) => [
      `Orama (${nameSettings(settings)})`,
      (documents) => orama(documents, settings),
    ]),
  ];
  const results = [await measureStrangers(brands)];
  for (const settings of tried) {
    const measured: StrangerResult[] = [];
    for (const [name, engine] of settings) measured.push(await measure(brands, name, engine));
    results.push(measured.reduce((a, b) => (b.mrr10 > a.mrr10 ? b : a)));
  }
  return results;
}
