/**
 * Words that name nothing, in French and English, elided forms and question words included: beside words that name something they weigh
 * nothing. Folded (lower case, no accent).
 */

const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

const FRENCH = set(
  `a ai ainsi ait as au aucun aucune aussi autre autres aux avait avec avez avoir avons c ca car ce ceci cela celle celles celui ces cet cette ceux
  chez ci combien comme comment d dans de des devez devons devraient devrais devrait dois doit doivent donc dont du elle elles en entre es est et
  etaient etait ete etes etre eu eux faire fais fait faites faut ils il j je jusqu jusque l la laquelle le lequel les lesquelles lesquels leur leurs
  lorsqu lorsque lui m ma mais me meme memes mes moi mon n ne ni nos notre nous on ont or ou par parce pas pendant peu peut peuvent peux plus pour
  pourquoi pourraient pourrais pourrait pourriez pouvez pouvons puis puisqu puisque puisse qu quand que quel quelle quelles quelqu quelque quelques
  quels qui quoi quoiqu s sa sans se sera seraient serait seront ses si soi soit son sommes sont sous suis sur t ta tandis te tes toi ton tous tout
  toute toutes tres tu un une va vais vers veulent veut veux vont vos votre voudrais voulez vous y`,
);

const ENGLISH = set(
  `a about am an and any are as at be because been being but by can could did do does doing for from had has have having he her hers him his how i if
  in into is it its itself me must my of on or our ours shall she should so some than that the their theirs them then there these they this those to too
  us was we were what whats when where which while who whom whose why will with would you your yours`,
);

/** Words that only one of the two languages takes for a function word, and the other for a name (`car`, `or`, `son`, `but`). */
const ENGLISH_NAMES = set('car or son pour an on but sans sous sur ton mon fait entre pas plus but');
const FRENCH_NAMES = set('but or an on has does i us am');

/** Words that name nothing once they follow these: `combien de temps`, `how long`, `à quelle heure`. */
const AFTER_QUESTION: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['combien', set('temps fois')],
  ['how', set('long many much often far')],
  ['what', set('kind sort type time')],
  ['quel', set('moment endroit type genre')],
  ['quelle', set('heure date sorte')],
  ['quels', set('types')],
  ['quelles', set('sortes')],
  ['which', set('kind')],
  ['te', set('plait')],
  ['vous', set('plait')],
]);

/** What an assistant is told to do, before whom it is told to do it for: `donne-moi`, `montrez-nous`, `tell me`. */
const ASKED = set(
  `cherche cherchez dis dites donne donnez explique expliquez indique indiquez liste listez montre montrez rappelle rappelez resume resumez trouve trouvez
  explain find give list show tell`,
);
const FOR_WHOM = set('moi nous me us');

/** Possessives that are nouns when `de` follows: `ton de voix`, `son de cloche`. */
const NOUNS_BEFORE_DE = set('ton son or but');
const DE = set('de d du des');

/** Whether this folded word names nothing in French or in English. */
export function isFunctionWord(word: string): boolean {
  return FRENCH.has(word) || ENGLISH.has(word);
}

/** For each folded word of a text, in order, whether it names nothing there: the language is that of the words around it. */
export function functionWords(words: readonly string[]): boolean[] {
  let french = 0;
  let english = 0;
  for (const word of words) {
    if (FRENCH.has(word) && !ENGLISH.has(word) && !ENGLISH_NAMES.has(word)) french++;
    if (ENGLISH.has(word) && !FRENCH.has(word) && !FRENCH_NAMES.has(word)) english++;
  }
  const isEnglish = english > french;
  return words.map((word, index) => {
    if (
      isEnglish ? ENGLISH_NAMES.has(word) && !ENGLISH.has(word) : FRENCH_NAMES.has(word) && !FRENCH.has(word)
    )
      return false;
    if (FRENCH.has(word) || ENGLISH.has(word))
      return !(NOUNS_BEFORE_DE.has(word) && DE.has(words[index + 1] ?? ''));
    if (ASKED.has(word) && FOR_WHOM.has(words[index + 1] ?? '')) return true;
    for (let back = 1; back <= 2 && index >= back; back++) {
      const before = words[index - back] as string;
      if (AFTER_QUESTION.get(before)?.has(word)) return true;
      if (!FRENCH.has(before)) break;
    }
    return false;
  });
}
