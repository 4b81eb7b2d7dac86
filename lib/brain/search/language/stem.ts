import { VERB_FORMS } from './verbs.ts';

/**
 * Forms of one word, in French and in English. Everything here takes and gives folded words (lower case, no accent). Two words that
 * share a form always share their first three letters: the index is read by these.
 */

const LETTERS_ONLY = /^[a-z]+$/;

/** The shortest root that an ending may leave. */
const SHORTEST = 3;

/** Nouns in `au` whose plural ends like that of `canal`. */
const NOUN_IN_AU = /(?:y|et)au$/;
/** Verbs of the third group that end as those of the second do: `ouvrir` is conjugated as `offre` is, and is no `ouvrier`. */
const VERB_IN_RIR = /(?:ouv|ouff|off)rir$/;
/** The two words whose feminine is another word to a stem: `nouvelle`, `jumelle`. */
const NEW_OR_TWIN = /^(?:nouv|jum)eaux?$/;

/** Feminines that no ending tells from their masculine, which share their first three letters with it. */
const FEMININES: ReadonlyMap<string, string> = new Map(
  `basse:bas blanche:blanc bonne:bon breve:bref douce:doux epaisse:epais fausse:faux favorite:favori fraiche:frais franche:franc grasse:gras grecque:grec grosse:gros longue:long
  nette:net neuve:neuf publique:public rousse:roux vieille:vieux`
    .split(/\s+/)
    .map((pair): [string, string] => [pair.slice(0, pair.indexOf(':')), pair.slice(pair.indexOf(':') + 1)]),
);

/**
 * The root shared by the inflected forms of a French word: plural, feminine, first-group verb endings
 * (`couleurs`→`couleur`, `visuelles`→`visuel`, `journaux`/`journal`→`journa`, `canaux`/`canal`→`canal`, `validée`/`valider`→`valid`).
 */
export function frenchStem(word: string): string {
  if (word.length < 4 || !LETTERS_ONLY.test(word)) return word;
  let root = word;
  const cut = (count: number) => {
    if (root.length - count < SHORTEST) return false;
    root = root.slice(0, root.length - count);
    return true;
  };

  const masculine = FEMININES.get(root.endsWith('s') ? root.slice(0, -1) : root);
  if (masculine !== undefined) return frenchStem(masculine);
  if (NEW_OR_TWIN.test(root)) return `${root.slice(0, root.indexOf('eau'))}el`;
  if (root.endsWith('eaux')) cut(1);
  // Of `canaux` and `tuyaux` the singular is not told by the plural: both are taken as `canal` is.
  else if (root.length > 4 && root.endsWith('aux') && root !== 'chaux') root = `${root.slice(0, -3)}al`;
  else if (NOUN_IN_AU.test(root)) root = `${root.slice(0, -2)}al`;
  else if (root.endsWith('s') && !root.endsWith('ss')) cut(1);
  else if (root.endsWith('eux') || root.endsWith('oux')) cut(1);

  // `directrice` and `directeur`, `ambassadrice` and `ambassadeur`.
  if (/[dt]rice$/.test(root)) root = `${root.slice(0, -4)}eur`;
  else if (root.endsWith('ee') || VERB_IN_RIR.test(root)) cut(2);
  // `ouvrière` and `ouvrier`; of shorter words it would make `manie` of `manière`.
  else if (root.length > 7 && root.endsWith('iere')) cut(3);
  else if (root.endsWith('er') || root.endsWith('ez')) {
    if (root.length > 5) cut(2);
  } else if (root.endsWith('e')) cut(1);
  else if (root.length > 5 && (root.endsWith('ir') || root.endsWith('it'))) cut(1);

  const last = root.at(-1);
  // `vendeur` and `vendeuse`, `heureux` and `heureuse`.
  if (root.length > 4 && root.endsWith('eus')) cut(1);
  else if (root.length > 5 && root.endsWith('eur')) cut(1);
  else if (root.length > 4 && (root.endsWith('iv') || root.endsWith('if'))) cut(1);
  else if (root.length > 5 && root.endsWith('al')) cut(1);
  else if (root.length > 4 && last === root.at(-2) && last !== undefined && !'aeiouy'.includes(last)) cut(1);
  // `travail` and `travaux`, `email` and `emaux`.
  if (root.length > 4 && root.endsWith('ail')) return root.slice(0, -2) + (root.length > 6 ? '' : 'l');
  return root;
}

/** The root shared by the inflected forms of an English word (`companies`/`company`→`compan`, `designed`/`designing`→`design`). */
export function englishStem(word: string): string {
  if (word.length < 4 || !LETTERS_ONLY.test(word)) return word;
  let root = word;
  const drop = (ending: string, shortest = SHORTEST) => {
    if (!root.endsWith(ending) || root.length - ending.length < shortest) return false;
    root = root.slice(0, -ending.length);
    return true;
  };
  if (root.endsWith('ies') || root.endsWith('ied')) drop(root.slice(-3));
  else if (/(?:ss|sh|ch|x|z)es$/.test(root)) drop('es');
  else if (/[^suia]s$/.test(root)) drop('s');
  if (drop('ing', 3) || drop('ed', 3)) {
    if (/([^aeioulsz])\1$/.test(root)) root = root.slice(0, -1);
  } else drop('y', 4);
  drop('e');
  return root;
}

/** Endings that make a noun or an adverb of a verb, or the verb's other tenses: the longest that leaves four letters is cut. */
const DERIVED =
  'issements issement issantes issaient isseuses issante issants atrices eraient iraient issages isseurs isseuse issant issais issait issons issent atrice aisons ateurs ations ements atures etures issage isseur itures issez aison ateur ation ement euses ances ences ables aient erait eront erons antes ature erais eture irais irait irons iront iture euse eurs ance ence able ages ante ants erai eras erez irai iras irez eur age ant ees ies ait ent ons ont ais era iez ira ee ez er es ie ir is it e i s'.split(
    ' ',
  );

/** The noun of an adjective in `-able` or `-ible` (`accessibilité`). */
const ABILITY = /(?<=[ai])bilites?$/;

/** A verb in `-re` whose other forms are told from it by what they end with alone (`vendre`, `répondu`, `mettre`). */
const VERB_IN_RE = /(?:[eo][nr]d(?:re|ue?s?)|ettre)$/;

/** What a verb and the nouns made of it share (`fabrique`, `fabrication`→`fabric`; `tutoyer`, `tutoie`, `tutoiement`→`tutoy`): looser than a stem. */
export function family(word: string): string {
  const irregular = VERB_FORMS.get(word);
  if (irregular !== undefined) return irregular;
  if (word.length < 5 || !LETTERS_ONLY.test(word)) return word;
  if (ABILITY.test(word)) return family(word.replace(ABILITY, 'ble'));
  const inRe = VERB_IN_RE.exec(word);
  if (inRe) {
    const root = word.slice(0, inRe.index) + inRe[0].replace(/(?:re|ue?s?)$/, '');
    if (root.length > 3) return root;
  }
  for (const ending of DERIVED) {
    if (!word.endsWith(ending) || word.length - ending.length < 4) continue;
    const root = word.slice(0, -ending.length);
    if (root.endsWith('qu')) return `${root.slice(0, -2)}c`;
    // One letter, written `y` or `i` by what follows it: whether it was cut with the ending (`envoi`, `envoie`) or not.
    if (/[aou]i$/.test(root)) return `${root.slice(0, -1)}y`;
    return ending.startsWith('i') && /[aou]$/.test(root) ? `${root}y` : root;
  }
  return word;
}
