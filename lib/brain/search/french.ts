/**
 * What search knows of French: which words carry no subject, and which endings are inflection.
 * Everything here takes and gives folded words (lower case, no accent).
 */

/** Words that name nothing, elided forms included. Alone in a query they are ordinary words. */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  (
    'a ai ainsi as au aux avec avoir c ca car ce ceci cela celle celles celui ces cet cette ceux chez ci comme comment ' +
    'd dans de des donc dont du elle elles en entre es est et etait etre eu eux faut il ils j je jusqu jusque l la ' +
    'le les leur leurs lorsqu lorsque lui m ma mais me meme memes mes moi mon n ne ni nos notre nous on ont or ou par ' +
    'parce pas pendant peu peut plus pour pourquoi puisqu puisque qu quand que quel quelle quelles quels qui quoi quoiqu ' +
    's sa sans se sera ses si soi son sont sous suis sur t ta tandis te tes toi ton tous tout toute toutes tres tu un ' +
    'une va vers vos votre vous y'
  ).split(' '),
);

/** Whether this folded word names nothing by itself (`le`, `dans`, the `qu` of `qu’il`). */
export function isFunctionWord(word: string): boolean {
  return FUNCTION_WORDS.has(word);
}

const LETTERS_ONLY = /^[a-z]+$/;

/** The shortest root that an ending may leave. */
const SHORTEST = 3;

/**
 * The root shared by the inflected forms of a French word: plural, feminine, first-group verb endings
 * (`couleurs`→`couleur`, `visuelles`→`visuel`, `journaux`/`journal`→`journa`, `validée`/`valider`→`valid`).
 * It only ever cuts the end, so the root always begins the word: candidates can be found by prefix.
 */
export function stem(word: string): string {
  if (word.length < 4 || !LETTERS_ONLY.test(word)) return word;
  let root = word;
  const cut = (count: number) => {
    if (root.length - count < SHORTEST) return false;
    root = root.slice(0, root.length - count);
    return true;
  };

  if (root.endsWith('eaux')) cut(1);
  else if (root.endsWith('aux')) return root.length > 5 ? root.slice(0, -2) : root.slice(0, -1);
  else if (root.endsWith('s') && !root.endsWith('ss')) cut(1);
  else if (root.endsWith('eux') || root.endsWith('oux')) cut(1);

  if (root.endsWith('ee')) cut(2);
  else if (root.endsWith('er') || root.endsWith('ez')) {
    if (root.length > 5) cut(2);
  } else if (root.endsWith('e')) cut(1);

  const last = root.at(-1);
  if (root.length > 4 && root.endsWith('eus')) cut(1);
  else if (root.length > 4 && (root.endsWith('iv') || root.endsWith('if'))) cut(1);
  else if (root.length > 5 && root.endsWith('al')) cut(1);
  else if (root.length > 4 && last === root.at(-2) && last !== undefined && !'aeiouy'.includes(last)) cut(1);
  return root;
}
