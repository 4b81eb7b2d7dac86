import type { ContextExplanation } from '#lib/brain/context/types.ts';

/** Thinner slices would not be seen: they are drawn together, at the end. */
export const LEAST_SLICE = 0.002;
/** Of those cut, how many the list above the text names. */
export const MOST_NAMED = 60;
/** Marks drawn in the margin; the list above the text counts them all. */
const MOST_MARKS = 120;

/** What the browser is told of a Memory to draw its slice, its mark and its line. */
export type ShownMemory = Pick<ContextExplanation, 'id' | 'role' | 'title' | 'inclusion' | 'cut'> & {
  /** Characters of the text that its block takes. */
  chars: number;
  /** Where its block ends in the text; null when it is not there. */
  end: number | null;
};

type Parts = { slices: ShownMemory[]; named: ShownMemory[]; marked: ShownMemory[] };

/** Which Memories are drawn as a slice, named above the text, marked in its margin. */
export function partsOf(memories: readonly ShownMemory[], maxChars: number): Parts {
  const cut = memories.filter(({ inclusion }) => inclusion !== 'whole');
  return {
    slices: memories.filter(({ chars }) => chars / maxChars >= LEAST_SLICE),
    named: cut.slice(0, MOST_NAMED),
    marked: cut.filter(({ end }) => end !== null).slice(0, MOST_MARKS),
  };
}
