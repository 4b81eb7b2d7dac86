/** Models give the nearest size of their own: 1248 × 704 is 16:9. */
const TOLERANCE = 0.1;

/** Whether a picture has the proportions asked, `16:9`, to a tenth; true for what is no proportion (`auto`). */
export function hasRatio(size: { width: number; height: number }, aspectRatio: string): boolean {
  const [width, height] = aspectRatio.split(':').map(Number);
  if (!width || !height) return true;
  const part = size.width / size.height / (width / height);
  return part >= 1 - TOLERANCE && part <= 1 + TOLERANCE;
}
