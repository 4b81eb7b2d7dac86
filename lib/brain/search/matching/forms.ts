/** What stands beside the words of a text, or for some of them: dates, numbers, acronyms, references. */

/** A normal form, at a word of the text and as many words long as it stands for. */
export type NormalForm = {
  term: string;
  position: number;
  span: number;
  /** Whether its words are looked for beside it, as they are in a reference of several groups. */
  isCode?: true;
};

/** Words of a text with their offsets. */
export type TextWords = { terms: readonly string[]; starts: readonly number[]; ends: readonly number[] };
