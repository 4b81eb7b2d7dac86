import { create, insertMultiple, search as oramaSearch } from '@orama/orama';
import MiniSearch from 'minisearch';
import { frenchStem } from '#lib/brain/search/language/stem.ts';
import { fold } from '#lib/brain/search/matching/fold.ts';
import { isFunctionWord } from '#lib/brain/search/matching/function-words.ts';

export type PeerDocument = { id: string; title: string; body: string };

/** Answers a query with the identifiers of what it finds, best first, at most `limit`. */
export type Peer = (q: string, limit: number) => Promise<string[]> | string[];

const words = (text: string) => fold(text).split(' ').filter(Boolean);
/** Function words go, unless there is nothing else. */
const meaningful = (text: string) => {
  const all = words(text);
  const kept = all.filter((word) => !isFunctionWord(word));
  return kept.length > 0 ? kept : all;
};

type MiniSearchSettings = { stop: boolean; fuzzy: number; boost: number; stemmed: boolean };

/** MiniSearch with our fold; with our function words as stop words, its fuzziness, the weight of titles and our stems as asked. */
export function miniSearch(documents: readonly PeerDocument[], settings: MiniSearchSettings): Peer {
  const term = (word: string) => (settings.stemmed ? frenchStem(word) : word);
  const index = new MiniSearch({
    fields: ['title', 'body'],
    tokenize: (text: string) => (settings.stop ? meaningful(text) : words(text)),
    processTerm: term,
    searchOptions: {
      prefix: true,
      boost: { title: settings.boost },
      ...(settings.fuzzy > 0 ? { fuzzy: settings.fuzzy, weights: { fuzzy: 0.2, prefix: 0.6 } } : {}),
    },
  });
  index.addAll([...documents]);
  return (q, limit) =>
    index
      .search(q)
      .slice(0, limit)
      .map(({ id }) => id as string);
}

type OramaSettings = { stop: boolean; tolerance: number; boost: number; stemmed: boolean };

/** Orama with our fold as its tokenizer; stop words, tolerance, the weight of titles and stems as asked. */
export async function orama(documents: readonly PeerDocument[], settings: OramaSettings): Promise<Peer> {
  const tokenize = (text: string) =>
    (settings.stop ? meaningful(text) : words(text)).map((word) =>
      settings.stemmed ? frenchStem(word) : word,
    );
  const index = create({
    schema: { id: 'string', title: 'string', body: 'string' } as const,
    components: { tokenizer: { language: 'french', normalizationCache: new Map(), tokenize } },
  });
  await insertMultiple(index, [...documents]);
  return async (q, limit) => {
    const found = await oramaSearch(index, {
      term: q,
      properties: ['title', 'body'],
      boost: { title: settings.boost },
      limit,
      ...(settings.tolerance > 0 ? { tolerance: settings.tolerance } : {}),
    });
    return found.hits.map(({ document }) => document.id as string);
  };
}

/** Every setting that is tried of each peer: the best of them is what we are compared with. */
const MINISEARCH_SETTINGS: readonly MiniSearchSettings[] = [2, 3, 5].flatMap((boost) =>
  [0, 0.1, 0.2].flatMap((fuzzy) =>
    [false, true].flatMap((stop) => [false, true].map((stemmed) => ({ boost, fuzzy, stop, stemmed }))),
  ),
);
const ORAMA_SETTINGS: readonly OramaSettings[] = [2, 3, 5].flatMap((boost) =>
  [0, 1].flatMap((tolerance) =>
    [false, true].flatMap((stop) => [false, true].map((stemmed) => ({ boost, tolerance, stop, stemmed }))),
  ),
);

/** The settings of each peer that are tried. */
export type PeerSettings = {
  miniSearch: readonly MiniSearchSettings[];
  orama: readonly OramaSettings[];
};
export const EVERY_PEER: PeerSettings = { miniSearch: MINISEARCH_SETTINGS, orama: ORAMA_SETTINGS };

/** How a setting is written in the report. */
export function nameSettings(settings: MiniSearchSettings | OramaSettings): string {
  const parts = [`title × ${settings.boost}`];
  if ('fuzzy' in settings && settings.fuzzy > 0) parts.push(`fuzzy ${settings.fuzzy}`);
  if ('tolerance' in settings && settings.tolerance > 0) parts.push(`tolerance ${settings.tolerance}`);
  if (settings.stop) parts.push('stop words');
  if (settings.stemmed) parts.push('stems');
  return parts.join(', ');
}
