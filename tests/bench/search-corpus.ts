import { seeded } from '#tests/simulation/random.ts';

/** A large French-looking corpus for timing: word frequencies follow Zipf’s law, as in real text; the same on every machine. */

export type Random = () => number;

/** Numbers from 0 to 1: the same seed, the same numbers. */
export const seededRandom = (seed: number): Random => seeded(seed).next;

const FUNCTION =
  'de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont avec nous vous mais ou nos aux leur été même cette ces très sans sous entre après chez depuis';
const COMMON =
  'client marque équipe produit service projet travail année temps site page texte image couleur logo ton voix charte règle exemple besoin prix vente achat boutique atelier formule qualité délai livraison commande facture contrat budget réunion semaine mois jour question réponse demande message réseau contenu article titre photo vidéo fichier dossier version étape méthode objectif résultat marché étude public utilisateur compte accès sécurité donnée rapport analyse stratégie campagne lancement partenaire fournisseur matière emballage étiquette collection gamme modèle taille usage entretien garantie retour échange conseil formation visite adresse contact téléphone identité visuelle éditoriale';
const STARTS =
  'ba bra cal car cen cha com con cor cou dé des di do é en ex fa fi for fra ga gra im in inter ju la li lu ma mé mi mon mul na no ob or pa par per plan po pré pro qua ra ré rou sa sé si sou su ta té tra tri u va vé vi vol'.split(
    ' ',
  );
const MIDDLES =
  'ba bi ca cha ci cu da di do fa fi ga gi gra la li lo ma mi mo na ni no pa pi po que ra ri ro sa si ta ti to tra va vi'.split(
    ' ',
  );
const ENDS =
  'ble tion teur trice ment age ance ence ier ière eux euse té ture isme iste if ive elle et ette on oire ique ant er é ée al ale'.split(
    ' ',
  );

const FREQUENT = [...FUNCTION.split(' '), ...COMMON.split(' ')];

/** Every word of the corpus, the most frequent first. */
const VOCABULARY: readonly string[] = (() => {
  const random = seededRandom(7);
  const pick = (values: readonly string[]) => values[Math.floor(random() * values.length)] as string;
  const words = new Set(FREQUENT);
  while (words.size < 60_000) {
    let word = pick(STARTS);
    for (let count = Math.floor(random() * 3); count > 0; count--) word += pick(MIDDLES);
    words.add(word + pick(ENDS) + (random() < 0.25 ? 's' : ''));
  }
  return [...words];
})();

const FUNCTION_COUNT = FUNCTION.split(' ').length;

/** A word drawn with the frequency of its rank (density 1/rank between `from` and the end). */
function zipfWord(random: Random, from: number): string {
  const low = Math.log(from + 1);
  const high = Math.log(VOCABULARY.length);
  return VOCABULARY[Math.floor(Math.exp(low + random() * (high - low))) - 1] as string;
}

type BenchMemory = { title: string; body: string };

/** The next Memory: a title of 2 to 7 words and a body of 30 to 300, about 1 KiB on average. */
export function drawMemory(random: Random): BenchMemory {
  const title = Array.from({ length: 2 + Math.floor(random() * 6) }, (_, i) =>
    zipfWord(random, i % 3 === 1 ? 0 : FUNCTION_COUNT),
  ).join(' ');
  const length = 30 + Math.floor(random() ** 2 * 270);
  let body = '';
  for (let i = 0; i < length; i++) {
    const word = zipfWord(random, 0);
    body += i % 14 === 0 ? `${i === 0 ? '' : '. '}${word[0]?.toUpperCase()}${word.slice(1)}` : ` ${word}`;
  }
  return { title: title[0]?.toUpperCase() + title.slice(1), body: `${body}.` };
}

/**
 * What people type: one to four words, common, ordinary and rare; the first letters of a word; two letters; words that exist
 * nowhere; pieces of real titles. The same list for every size.
 */
export function drawQueries(count: number): string[] {
  const random = seededRandom(99);
  const rank = (low: number, high: number) => VOCABULARY[Math.floor(low + random() * (high - low))] as string;
  const common = () => rank(FUNCTION_COUNT, FREQUENT.length);
  const ordinary = () => rank(FREQUENT.length, 2_000);
  const rare = () => rank(5_000, 50_000);
  const absent = () => `${rare().slice(0, 4)}xzk${ordinary().slice(-3)}`;
  const prefix = () => {
    const word = random() < 0.5 ? common() : ordinary();
    return word.slice(0, Math.min(word.length - 1, 3 + Math.floor(random() * 3)));
  };
  const source = seededRandom(1);
  const titles = Array.from({ length: 200 }, () => drawMemory(source).title.split(' '));
  const fromTitle = () => {
    const title = titles[Math.floor(random() * titles.length)] as string[];
    const start = Math.floor(random() * (title.length - 1));
    return title.slice(start, start + 2 + Math.floor(random() * 2)).join(' ');
  };
  const shapes: (() => string)[] = [
    common,
    common,
    ordinary,
    rare,
    prefix,
    prefix,
    absent,
    () => 'abcdeilmoprstuv'[Math.floor(random() * 15)] + 'aeiourl'[Math.floor(random() * 7)]!,
    () => `${common()} ${common()}`,
    () => `${common()} ${ordinary()}`,
    () => `${common()} de la ${common()}`,
    () => `${ordinary()} ${rare()}`,
    () => `${common()} ${prefix()}`,
    () => `${common()} ${absent()}`,
    fromTitle,
    fromTitle,
    () => `${common()} ${common()} ${ordinary()}`,
    () => `${common()} ${ordinary()} ${ordinary()} ${rare()}`,
    () => `quelles ${common()}s pour le ${common()} de l’${common()}`,
    () => `${common()} ${common()} ${common()} ${prefix()}`,
  ];
  return Array.from({ length: count }, (_, i) => (shapes[i % shapes.length] as () => string)());
}
