import { fold, foldWords } from '#lib/brain/search/matching/fold.ts';
import { isFunctionWord } from '#lib/brain/search/matching/function-words.ts';
import { type Random, seededRandom } from '#tests/bench/search-corpus.ts';
import { CORPUS, type EvaluationMemory } from '#tests/bench/search-fr/corpus.ts';
import { QUERIES, QUERY_KINDS } from '#tests/bench/search-fr/queries.ts';
import { WRITTEN } from '#tests/bench/search-fr/written.ts';

/** One query with the Memories that a reader expects first; a negative expects nothing. */
export type KnownItem = { q: string; expected: readonly string[]; kind: string };

const DERIVED_KINDS = ['five-word phrase', 'rare words shuffled', 'one typing error'] as const;

/** In the order of the table: the kinds written by hand, then those drawn from the corpus. */
export const ITEM_KINDS: readonly string[] = [
  ...QUERY_KINDS.filter((kind) => kind !== 'negative'),
  ...DERIVED_KINDS,
  'negative',
];

/** Questions as an assistant asks them, written for this corpus. */
const QUESTIONS: readonly (readonly [q: string, ...expected: string[]])[] = [
  ['Qui a fondé la maison et en quelle année ?', 'histoire'],
  ['À quelle température mélange-t-on les huiles et la soude ?', 'savon-froid'],
  ['Combien de salariés compte l’entreprise ?', 'organigramme'],
  ['Quand la boutique de Dieulefit est-elle ouverte ?', 'boutique-dieulefit'],
  ['Quel est le budget média de la campagne de Noël ?', 'noel'],
  ['Que s’est-il passé le 12 novembre pour les coffrets de Noël ?', 'noel'],
  ['Pourquoi le lot B-2291 a-t-il été rappelé ?', 'rappel-lot'],
  ['Qui relit les maquettes le lundi ?', 'theo'],
  ['Quelle est la différence entre la lavande fine et le lavandin ?', 'lavande'],
  ['Où est pressée l’huile d’olive ?', 'huile-olive'],
  ['À qui achète-t-on le beurre de karité ?', 'karite'],
  ['Combien coûte le sérum de nuit ?', 'serum-nuit'],
  ['Quels conservateurs sont autorisés ?', 'conservateurs'],
  ['Est-ce que la gamme Nue convient pendant la grossesse ?', 'grossesse'],
  ['Combien de points faut-il pour avoir un savon offert ?', 'fidelite'],
  ['Quelle remise obtient un abonné ?', 'abonnement'],
  ['Qui a tourné le porte-savon en grès ?', 'porte-savon'],
  ['Quelle verrerie a été retenue ?', 'fournisseurs-verre'],
  ['Pourquoi la mousse retombe-t-elle dans les essais ?', 'tests-formule'],
  ['Combien de temps sèche le savon ?', 'savon-froid'],
  ['À quelle heure part la navette vers Valence ?', 'transporteur'],
  ['Qui livre la cire en mai ?', 'apicultrice'],
  ['Quelle police pour les titres ?', 'typographie'],
  ['Peut-on étirer le logo ?', 'logo-interdits'],
  ['Combien de publications par semaine sur Instagram ?', 'reseaux'],
  ['Quelle norme suivons-nous pour la fabrication ?', 'haccp'],
  ['Faut-il verser la soude dans l’eau ou l’inverse ?', 'securite'],
  ['Combien de points de vente en Belgique ?', 'belgique'],
  ['Depuis quand avons-nous un distributeur à Tokyo ?', 'export'],
  ['Combien de temps les adresses des clients sont-elles conservées ?', 'rgpd'],
  ['Quel est le panier pour avoir les frais de livraison offerts ?', 'expedition'],
  ['Sous combien de jours rembourse-t-on un retour ?', 'retours'],
  ['Quelle part du chiffre d’affaires va au mécénat ?', 'mecenat'],
  ['Qui compose les parfums à Grasse ?', 'soren'],
  ['Quel délai demande l’imprimerie ?', 'imprimeur'],
];

export type Word = { text: string; folded: string; start: number; end: number };

/** The Memories of the corpus that were written by hand. */
export const written: readonly EvaluationMemory[] = WRITTEN.map(([key, role, title, body]) => ({
  key,
  role,
  title,
  body,
}));
export const wordsOf = (text: string): Word[] =>
  foldWords(text).map(({ text: folded, start, end }) => ({
    folded,
    start,
    end,
    text: text.slice(start, end),
  }));

const foldedCorpus = CORPUS.map(({ key, title, body }) => ({
  key,
  words: new Set(fold(`${title} ${body}`).split(' ')),
  text: ` ${fold(title)} \n ${fold(body)} `,
}));
/** The Memories whose folded text passes. */
export const holders = (test: (one: (typeof foldedCorpus)[number]) => boolean) =>
  foldedCorpus.filter(test).map(({ key }) => key);
const holdersOf = (word: string) => holders(({ words }) => words.has(word));
const startingWith = (beginning: string) =>
  holders(({ words }) => [...words].some((word) => word.startsWith(beginning)));

const isRare = (word: string) =>
  /^[a-z]+$/.test(word) && !isFunctionWord(word) && holdersOf(word).length <= 2;

/** Takes a query from Memories in turn until there are `count`. */
function draw(
  count: number,
  kind: string,
  make: (memory: EvaluationMemory, nth: number) => Omit<KnownItem, 'kind'> | null,
): KnownItem[] {
  const items: KnownItem[] = [];
  for (let nth = 0; items.length < count && nth < written.length * 3; nth++) {
    const item = make(written[(nth * 37) % written.length] as EvaluationMemory, nth);
    if (item && !items.some(({ q }) => q === item.q)) items.push({ ...item, kind });
  }
  if (items.length < count) throw new Error(`only ${items.length} queries of ${kind}`);
  return items;
}

function phrase(memory: EvaluationMemory, nth: number): Omit<KnownItem, 'kind'> | null {
  const words = wordsOf(memory.body);
  const from = (nth * 5) % Math.max(1, words.length - 5);
  const [first, last] = [words[from], words[from + 4]];
  if (!first || !last) return null;
  const q = memory.body.slice(first.start, last.end);
  if (/[.!?:;]/.test(q)) return null;
  const expected = holders(({ text }) => text.includes(` ${fold(q)} `));
  return expected.length === 1 ? { q, expected } : null;
}

function shuffled(random: Random): (memory: EvaluationMemory) => Omit<KnownItem, 'kind'> | null {
  return (memory) => {
    const rare = wordsOf(memory.body).filter(({ folded }) => folded.length > 4 && isRare(folded));
    if (rare.length < 3) return null;
    const picked = rare.slice(0, 4);
    for (let i = picked.length - 1; i > 0; i--) {
      const j = Math.floor(random() * (i + 1));
      [picked[i], picked[j]] = [picked[j] as Word, picked[i] as Word];
    }
    return { q: picked.map(({ text }) => text.toLowerCase()).join(' '), expected: [memory.key] };
  };
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';

/** A word with one letter changed, taken away, added, or two changed places: anywhere in it, its first letter included. */
export function mistyped(word: string, random: Random): string {
  const at = Math.floor(random() * (word.length - 1));
  const letter = ALPHABET[Math.floor(random() * 26)] as string;
  const kinds = [
    word.slice(0, at) + letter + word.slice(at + 1),
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at) + letter + word.slice(at),
    word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2),
  ];
  return kinds[Math.floor(random() * kinds.length)] as string;
}

function typo(random: Random): (memory: EvaluationMemory, nth: number) => Omit<KnownItem, 'kind'> | null {
  return (memory, nth) => {
    const rare = wordsOf(`${memory.title} ${memory.body}`).filter(
      ({ folded }) => folded.length > 5 && isRare(folded),
    );
    const word = rare[nth % Math.max(1, rare.length)]?.folded;
    if (!word) return null;
    const wrong = mistyped(word, random);
    if (wrong === word || startingWith(wrong).length > 0) return null;
    const other = rare.find(({ folded }) => folded !== word)?.text.toLowerCase();
    // Half of them alone, half beside a word that is right.
    if (nth % 2 === 0 || !other) return { q: wrong, expected: startingWith(word.slice(0, -1)) };
    return { q: `${wrong} ${other}`, expected: [memory.key] };
  };
}

function beginning(memory: EvaluationMemory, nth: number): Omit<KnownItem, 'kind'> | null {
  const long = wordsOf(`${memory.title} ${memory.body}`).filter(
    ({ folded }) => folded.length > 7 && isRare(folded),
  );
  const word = long[nth % Math.max(1, long.length)]?.folded;
  const q = word?.slice(0, 5 + (nth % 2));
  if (!q) return null;
  const expected = startingWith(q);
  return expected.length <= 2 ? { q, expected } : null;
}

function accents(memory: EvaluationMemory, nth: number): Omit<KnownItem, 'kind'> | null {
  if (!/[À-ÿœŒ]/.test(memory.title) || memory.title.length < 8) return null;
  const bare = memory.title.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
  const q = [bare.toUpperCase(), bare.toLowerCase(), memory.title.normalize('NFD')][nth % 3] as string;
  return { q, expected: [memory.key] };
}

/** 400 queries on the French corpus: those written by hand, and those drawn from its Memories, always the same. */
export const KNOWN_ITEMS: readonly KnownItem[] = (() => {
  const random = seededRandom(2_026);
  const drawn: KnownItem[] = [
    ...QUESTIONS.map(([q, ...expected]) => ({ q, expected, kind: 'question' })),
    ...draw(20, 'accents', accents),
    ...draw(20, 'prefix', beginning),
    ...draw(40, 'five-word phrase', phrase),
    ...draw(40, 'rare words shuffled', shuffled(random)),
    ...draw(400 - QUERIES.length - QUESTIONS.length - 120, 'one typing error', typo(random)),
  ];
  return [...QUERIES, ...drawn];
})();
