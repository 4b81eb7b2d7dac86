import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { MAX_QUESTION_LENGTH } from '../limits.ts';
import type { Neighbour } from '../neighbours.ts';
import { storeOf } from '../search/index/store.ts';
import { TermMatches } from '../search/matching/occurrences.ts';
import { inSlices, Pace } from '../search/matching/pace.ts';
import { MAX_QUERY_WORDS, parseQuery, type Query, unmatchedWords } from '../search/matching/query.ts';
import type { Explanation } from '../search/matching/score.ts';
import { findMemories, type SearchInput } from '../search/search-memories.ts';
import { makingSnippet, matchRanges, type TextRange } from '../search/snippet.ts';
import type { MemorySource, PillarRole, SpaceTemplate } from '../templates.ts';

export type FoundMemory = {
  id: string;
  spaceId: string;
  spaceName: string;
  template: SpaceTemplate;
  role: PillarRole;
  source: MemorySource;
  updatedAt: Date;
  title: string;
  snippet: string;
  titleRanges: [number, number][];
  snippetRanges: [number, number][];
  score: number;
  parent: Neighbour | null;
  /** The first 50 of those nested right under it. */
  children: Neighbour[];
  /** Short words for the eye: « dans le titre », « expression exacte ». */
  highlights: string[];
  /** Every reason, one sentence each. */
  reasons: string[];
};

const MATCHES = {
  exact: 'le mot même',
  stem: 'une autre forme du mot',
  prefix: 'un mot qui commence ainsi',
  inside: 'à l’intérieur d’un mot',
  typo: 'à une faute de frappe près',
} as const;

/** Why a result is where it is, in French; each word as it was typed. */
function explainInWords(
  query: Query,
  { inTitle, exactPhrase, allWords, words }: Explanation,
): { highlights: string[]; reasons: string[] } {
  const highlights: string[] = [];
  if (inTitle) highlights.push('dans le titre');
  if (exactPhrase) highlights.push('expression exacte');
  if (allWords && words.length > 1) highlights.push('tous les mots');
  const reasons = words.map(({ word, title, body }, index) => {
    const found = [
      title ? `dans le titre (${MATCHES[title]})` : null,
      body ? `dans le texte (${MATCHES[body]})` : null,
    ].filter((part) => part !== null);
    return `«\u00a0${query.words[index]?.typed ?? word}\u00a0»\u00a0: ${found.join(' et ') || 'absent'}`;
  });
  if (exactPhrase)
    reasons.push(`L’expression se lit telle quelle dans le ${exactPhrase === 'title' ? 'titre' : 'texte'}.`);
  return { highlights, reasons };
}

/**
 * A search made to be read by a member: ranges to mark and reasons in words; consumes no read. `unmatched`: the words that none of what is searched holds, as
 * they were typed; `isNear`: it holds none of them, and these hits have words almost alike. Errors: `not_found` (Space).
 */
export async function searchWithReasons(
  ctx: Context<AccountActor>,
  input: SearchInput,
): Promise<{ hits: FoundMemory[]; unmatched: string[]; isNear: boolean }> {
  const { query, hits } = await findMemories(ctx, input);
  const pairs = (ranges: TextRange[]) => ranges.map(({ start, end }): [number, number] => [start, end]);
  const pace = new Pace();
  const matches = new TermMatches(query);
  const store = storeOf(ctx.kysely);
  const found: FoundMemory[] = [];
  for (const {
    memory: { body, stamp, ...memory },
    score,
    explanation,
  } of hits) {
    const terms = await store.texts.termsOf({ stamp, body }, pace);
    const snippet = await inSlices(makingSnippet(query, body, matches, terms), pace);
    found.push({
      ...memory,
      snippet,
      titleRanges: pairs(matchRanges(query, memory.title)),
      snippetRanges: pairs(matchRanges(query, snippet)),
      score,
      ...explainInWords(query, explanation),
    });
  }
  const unmatched = unmatchedWords(query);
  return { hits: found, unmatched, isNear: found.length > 0 && unmatched.length === query.words.length };
}

/** Whether a text holds anything that can be searched for. */
export function isSearchable(text: string): boolean {
  return parseQuery(text).words.length > 0;
}

/** What says which words of a text are not looked for, there being more than a search takes; null when all are. */
export function ignoredWordsNote(text: string): string | null {
  const { ignored } = parseQuery(text);
  if (ignored.length === 0) return null;
  return `Seuls les ${MAX_QUERY_WORDS} premiers mots différents ont été cherchés, sans «\u00a0${ignored.join(', ')}\u00a0».`;
}

/** What says that a text is longer than what is searched of it; null when it is searched whole. */
export function cutTextNote(text = ''): string | null {
  return text.length > MAX_QUESTION_LENGTH
    ? `Seuls les ${MAX_QUESTION_LENGTH} premiers caractères sont cherchés.`
    : null;
}

/** What says which words no Memory holds; `of` names what was searched (« de cet espace »). Null when there are none. */
export function unmatchedWordsNote(words: readonly string[], of = ''): string | null {
  if (words.length === 0) return null;
  const quoted = words.map((word) => `«\u00a0${word}\u00a0»`);
  const last = quoted.pop();
  const listed = quoted.length > 0 ? `${quoted.join(', ')} ni ${last}` : last;
  return `Aucune mémoire ${of === '' ? '' : `${of} `}ne contient ${listed}.`;
}
