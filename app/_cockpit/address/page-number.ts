import { number } from '#app/_ui/format.ts';

/** The page number of an address, from 1; 1 for anything that is not a page number. */
export const pageOf = (asked: string | undefined): number =>
  /^[1-9]\d{0,4}$/.test(asked ?? '') ? Number(asked) : 1;

type Place = {
  page: number;
  /** The number of rows of a full page. */
  size: number;
  /** The number of rows of this page. */
  shown: number;
  /** The number of rows of all pages, and the same in words: « 620 clés ». */
  total: number;
  words: string;
};

/** Which rows of a list a page shows, in words, and whether it is the first or the last page: the input of `Pagination`. */
export function placeOn({ page, size, shown, total, words }: Place) {
  const before = (page - 1) * size;
  return {
    isFirst: page === 1,
    isLast: before + shown >= total,
    summary: shown > 0 ? `${number(before + 1)} à ${number(before + shown)} sur ${words}` : words,
  };
}

/** How many rows a page shows (`words`: « 24 envois »), which must not read as the length of a list that has other pages. */
export const onThisPage = (words: string, isWhole: boolean): string =>
  isWhole ? words : `${words} sur cette page`;
