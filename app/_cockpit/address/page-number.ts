import { number } from '#app/_ui/format.ts';

/** The page of a list that an address asks for, from 1; 1 for whatever is no number of a page. */
export const pageOf = (asked: string | undefined): number =>
  /^[1-9]\d{0,4}$/.test(asked ?? '') ? Number(asked) : 1;

type Place = {
  page: number;
  /** Rows of a full page. */
  size: number;
  /** Rows of this one. */
  shown: number;
  /** Rows of them all, and the same in words: « 620 clés ». */
  total: number;
  words: string;
};

/** Which rows of a list a page shows, in words, and whether any are before or after: all that `Pagination` wants to be told. */
export function placeOn({ page, size, shown, total, words }: Place) {
  const before = (page - 1) * size;
  return {
    isFirst: page === 1,
    isLast: before + shown >= total,
    summary: shown > 0 ? `${number(before + 1)} à ${number(before + shown)} sur ${words}` : words,
  };
}
