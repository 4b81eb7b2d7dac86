import type { ContextExplanation } from '#lib/brain/context/types.ts';

/** As a share of the budget: thinner slices would be invisible, so they are drawn together at the end. */
export const LEAST_SLICE = 0.002;
/** The most shortened or omitted Memories that are named above the text. */
export const MOST_NAMED = 60;
/** The most marks drawn in the margin; the list above the text counts all of them. */
const MOST_MARKS = 120;

/** What the browser needs of a Memory to draw its slice, its mark and its line. */
export type ShownMemory = Pick<ContextExplanation, 'id' | 'role' | 'title' | 'inclusion' | 'cut'> & {
  /** Length of its block in the text, in characters. */
  chars: number;
  /** Where its block ends in the text, as an offset; null if it is not in the text. */
  end: number | null;
};

type Parts = { slices: ShownMemory[]; named: ShownMemory[]; marked: ShownMemory[] };

/** Chooses which Memories are drawn as slices, named above the text, and marked in the margin. */
export function partsOf(memories: readonly ShownMemory[], maxChars: number): Parts {
  const cut = memories.filter(({ inclusion }) => inclusion !== 'whole');
  return {
    slices: memories.filter(({ chars }) => chars / maxChars >= LEAST_SLICE),
    named: cut.slice(0, MOST_NAMED),
    marked: cut.filter(({ end }) => end !== null).slice(0, MOST_MARKS),
  };
}
