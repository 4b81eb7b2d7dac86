import { DEFAULT_CONTEXT_CHARS, MAX_CONTEXT_CHARS, MIN_CONTEXT_CHARS } from '#lib/brain/limits.ts';

const LEAST = MIN_CONTEXT_CHARS;
const GREATEST = MAX_CONTEXT_CHARS;
/** The sizes worth stopping at: what usual prompts leave to context. */
export const USUAL_SIZES = [1_000, 4_000, DEFAULT_CONTEXT_CHARS, 64_000, GREATEST];
export const STEPS = 300;

/** A place on the slider, 0 to STEPS, for a number of characters: each equal stretch multiplies by the same. */
export function placeOf(chars: number): number {
  return Math.round((STEPS * Math.log(chars / LEAST)) / Math.log(GREATEST / LEAST));
}

/** The round number of characters at a place of the slider. */
export function charsAt(place: number): number {
  const usual = USUAL_SIZES.find((size) => placeOf(size) === place);
  if (usual) return usual;
  const exact = LEAST * (GREATEST / LEAST) ** (place / STEPS);
  const unit = 10 ** Math.max(1, Math.floor(Math.log10(exact)) - 1);
  return Math.min(GREATEST, Math.max(LEAST, Math.round(exact / unit) * unit));
}
