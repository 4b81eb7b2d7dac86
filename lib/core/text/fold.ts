/** Letters that Unicode does not decompose, as a reader types them without their mark. */
export const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  œ: 'oe',
  æ: 'ae',
  ß: 'ss',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
};

const PLAIN_LETTER = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'g');

/**
 * Lower case without accents, ligatures spelled out: two texts that fold alike differ in accents, case or width only.
 * Words keep their separators. For matching with places in the original, see `lib/brain/search/matching/fold.ts` and `lib/studio/copy-rules/fold.ts`.
 */
export function foldAccents(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(PLAIN_LETTER, (letter) => PLAIN_LETTERS[letter] ?? letter);
}
