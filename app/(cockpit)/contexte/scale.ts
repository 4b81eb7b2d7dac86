import { DEFAULT_CONTEXT_CHARS, MAX_CONTEXT_CHARS, MIN_CONTEXT_CHARS } from '#lib/brain/limits.ts';

const LEAST = MIN_CONTEXT_CHARS;
const GREATEST = MAX_CONTEXT_CHARS;
/** The stops of the slider, in characters: what usual prompts leave for context. */
export const USUAL_SIZES = [1_000, 4_000, DEFAULT_CONTEXT_CHARS, 64_000, GREATEST];
export const STEPS = 300;

/** The slider position, 0 to STEPS, of a number of characters. The scale is logarithmic. */
export function placeOf(chars: number): number {
  return Math.round((STEPS * Math.log(chars / LEAST)) / Math.log(GREATEST / LEAST));
}

/** The number of characters, rounded, at a slider position. */
export function charsAt(place: number): number {
  const usual = USUAL_SIZES.find((size) => placeOf(size) === place);
  if (usual) return usual;
  const exact = LEAST * (GREATEST / LEAST) ** (place / STEPS);
  const unit = 10 ** Math.max(1, Math.floor(Math.log10(exact)) - 1);
  return Math.min(GREATEST, Math.max(LEAST, Math.round(exact / unit) * unit));
}
