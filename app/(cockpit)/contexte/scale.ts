/** Bounds of `maxChars` and the sizes worth stopping at: what usual prompts leave to context. */
const LEAST = 200;
const GREATEST = 200_000;
export const USUAL_SIZES = [1_000, 4_000, 16_000, 64_000, 200_000];
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
