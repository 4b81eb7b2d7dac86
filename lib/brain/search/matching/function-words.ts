import { isNumeral } from './numerals.ts';

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

/** The same, asked for after whom it is for: `peux-tu me dire`, `pouvez-vous m’indiquer`. */
const ASKED_AFTER = set('dire donner expliquer indiquer lister montrer preciser rappeler resumer trouver');
const FOR_WHOM_BEFORE = set('me m');

/** Words that name nothing in a question, beside those that name nothing anywhere. */
const IN_QUESTIONS = set(
  'aurait auraient deja devra devront faudra faudrait pourra pourront sait savez stp svp veuillez',
);

/** What a question asks of a thing besides what it names, by the words beside it: `a lieu`, `se trouve`, `se passe-t-il`, `existe-t-il`. */
const AFTER_REFLEXIVE = set('passe passent passera trouve trouvent trouvera');
const REFLEXIVE = set('s se');
const BEFORE_T_IL = set('existe');

/** Words for a sign that is no word, after a number: `60 euros` and `20 pour cent` find `60 €` and `20 %`. */
const SIGNS = set('degre degres eur euro euros');
const NUMBER = /^\d+$/;

/** Possessives that are nouns when `de` follows: `ton de voix`, `son de cloche`. */
const NOUNS_BEFORE_DE = set('ton son or but');
const DE = set('de d du des');

/** In French they are nouns after an article or another possessive (`quel ton`, `notre ton`, `le son`, `bracelet en or`). */
const BEFORE_NOUN: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['ton', set('le un du au ce notre votre quel leur')],
  ['son', set('le un du au ce notre votre quel leur')],
  ['or', set('l d en')],
]);
/** And where no noun can follow: at the end (`changer de ton`); possessives before one of these too (`ton et style`). */
const NO_NOUN_AFTER = set('a au aux avec chez dans en est et ou par pour que qui sur');

/** `été` is a form of « être » after one of « avoir » in the same group of words, unless an article stands right before it; else it is the season. */
const AVOIR = set(
  'a ai aient ait as aura aurai aurait auraient auront avaient avait avez avions avoir avons ayant eu ont',
);
const MAX_BETWEEN_AVOIR = 3;
const BEFORE_SEASON = set('l d cet chaque notre votre leur mon ton son un plein');

/** What is left of an English word once its apostrophe cut it: `don’t`, `we’re`. */
const NEGATED = set(
  'aren couldn didn doesn don hadn hasn haven isn mustn needn shouldn wasn weren won wouldn',
);
const CONTRACTED = set('ll re ve');
const BEFORE_CONTRACTED = set('he how i it she that there they we what where who you');

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
    const [last, next] = [words[index - 1] ?? '', words[index + 1] ?? ''];
    if (
      isEnglish ? ENGLISH_NAMES.has(word) && !ENGLISH.has(word) : FRENCH_NAMES.has(word) && !FRENCH.has(word)
    )
      return false;
    if (FRENCH.has(word) || ENGLISH.has(word)) {
      if (NOUNS_BEFORE_DE.has(word) && DE.has(next)) return false;
      if (word === 'ete') return !isSeason(words, index);
      return isEnglish || !isNoun(word, last, next);
    }
    if (IN_QUESTIONS.has(word) || isContracted(word, last, next)) return true;
    if (isAskedOfAThing(words, index) || isSign(words, index)) return true;
    if (ASKED.has(word) && FOR_WHOM.has(next)) return true;
    if (ASKED_AFTER.has(word) && FOR_WHOM_BEFORE.has(last)) return true;
    for (let back = 1; back <= 2 && index >= back; back++) {
      const before = words[index - back] as string;
      if (AFTER_QUESTION.get(before)?.has(word)) return true;
      if (!FRENCH.has(before)) break;
    }
    return false;
  });
}

/** Whether a word that may be a possessive or a conjunction is a noun in French, between these two; '' is no word. */
function isNoun(word: string, last: string, next: string): boolean {
  const before = BEFORE_NOUN.get(word);
  if (before === undefined) return false;
  return before.has(last) || next === '' || (word !== 'or' && NO_NOUN_AFTER.has(next));
}

/** Whether the « été » at this place is the season: `la collection été 2026`, `l’été dernier`, and not `a-t-il été rappelé`. */
function isSeason(words: readonly string[], index: number): boolean {
  if (BEFORE_SEASON.has(words[index - 1] ?? '')) return true;
  return !words.slice(Math.max(0, index - 1 - MAX_BETWEEN_AVOIR), index).some((word) => AVOIR.has(word));
}

function isAskedOfAThing(words: readonly string[], index: number): boolean {
  const [last, word, next] = [words[index - 1] ?? '', words[index] as string, words[index + 1]];
  if (word === 'lieu') return AVOIR.has(last);
  if (AFTER_REFLEXIVE.has(word)) return REFLEXIVE.has(last);
  return BEFORE_T_IL.has(word) && next === 't' && words[index + 2] === 'il';
}

/** Whether a word only reads out the sign that follows a number. */
function isSign(words: readonly string[], index: number): boolean {
  const isNumber = (word = '') => NUMBER.test(word) || isNumeral(word);
  if (words[index] === 'cent' && words[index - 1] === 'pour') return isNumber(words[index - 2]);
  return SIGNS.has(words[index] as string) && isNumber(words[index - 1]);
}

const isContracted = (word: string, last: string, next: string) =>
  (next === 't' && NEGATED.has(word)) || (CONTRACTED.has(word) && BEFORE_CONTRACTED.has(last));
