/** How far a picture's proportions may be from those asked. */
export const RATIO_TOLERANCE = {
  /** Its pixels were asked by number. */
  image: 0.02,
  /** Models give the nearest size of their own: 864 × 496 is 16:9. */
  video: 0.05,
} as const;

/** Whether a picture has the proportions asked, `16:9`, within the tolerance; true for what is no proportion (`auto`). */
export function hasRatio(
  size: { width: number; height: number },
  aspectRatio: string,
  tolerance: number,
): boolean {
  const [width, height] = aspectRatio.split(':').map(Number);
  if (!width || !height) return true;
  const part = size.width / size.height / (width / height);
  return part >= 1 / (1 + tolerance) && part <= 1 + tolerance;
}
