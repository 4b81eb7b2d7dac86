/**
 * Words that are as often shortened as written out, each one term: `Mme` and `madame`, `St-Malo` and `Saint-Malo`, `1er` and `premier`. Folded. Left out: what is another word too when it is
 * short (`M.`, `tél.`), and what stands for several words, but for a few (units.ts).
 */
const WRITINGS: readonly (readonly string[])[] = [
  ['mme', 'madame'],
  ['mmes', 'mesdames'],
  ['mlle', 'mademoiselle'],
  ['mr', 'monsieur'],
  ['dr', 'docteur'],
  ['st', 'saint'],
  ['ste', 'sainte'],
  ['ref', 'reference'],
  ['1er', 'premier'],
  ['1re', '1ere', 'premiere'],
];
const OTHERS: ReadonlyMap<string, string[]> = new Map(
  WRITINGS.flatMap((all) =>
    all.map((one): [string, string[]] => [one, all.filter((other) => other !== one)]),
  ),
);

/** The same word written out, or shortened. */
export const otherLength = (word: string): readonly string[] => OTHERS.get(word) ?? [];

/** What « n° » says before a number; the letter alone is « ne ». */
export const NUMERO = 'numero';
const NUMERO_SIGN = /^n[\u00b0\u00ba\u02da]/i;

/** Whether « n° » is written at this place of a text. */
export const isNumeroSign = (text: string, at: number): boolean => NUMERO_SIGN.test(text.slice(at, at + 2));
