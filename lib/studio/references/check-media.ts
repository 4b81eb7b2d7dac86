import type { MediaRule } from '#lib/providers/models/entry.ts';

/** A picture or a clip as it was measured. */
type Measured = {
  contentType: string;
  width: number;
  height: number;
  framesPerSecond?: number | undefined;
};
type MediaProblem = { detail: string; message: string };

const NAMES: Record<string, string> = { 'video/mp4': 'MP4', 'video/quicktime': 'MOV' };
const numbers = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 1 });

/**
 * Why a model's maker would refuse a file, in French, with what was measured and what is needed: a picture too small or too long, a clip of
 * another type, size, shape or frame rate. Null when it is read, as it is or once made smaller (`isReadAsIs`).
 */
export function mediaProblem(
  as: 'image' | 'clip',
  file: Measured,
  rule: MediaRule | undefined,
): MediaProblem | null {
  if (!rule) return null;
  const clip = as === 'clip';
  return (
    (clip ? (typeProblem(file, rule) ?? frameRateProblem(file, rule)) : null) ??
    sizeProblem(file, rule, { subject: clip ? 'Ce clip' : 'Cette image', canShrink: !clip })
  );
}

/** Whether a picture can be sent as it is: of a type that the model reads, and no larger than it reads. */
export function isReadAsIs(
  { contentType, width, height }: Measured,
  { types, maxSide = Number.POSITIVE_INFINITY }: MediaRule = {},
): boolean {
  return (!types || types.includes(contentType)) && Math.max(width, height) <= maxSide;
}

function typeProblem({ contentType }: Measured, { types }: MediaRule): MediaProblem | null {
  if (!types || types.includes(contentType)) return null;
  const names = types.map((type) => NAMES[type] ?? type).join(' ou ');
  return {
    detail: 'type-not-accepted',
    message: `Ce modèle lit les clips en ${names}\u00a0: enregistrez celui-ci dans ce format.`,
  };
}

/** Of the whole number nearest to the average: 23.976 is called 24. */
function frameRateProblem(file: Measured, rule: MediaRule): MediaProblem | null {
  if (file.framesPerSecond === undefined) return null;
  const { minFramesPerSecond: least = 0, maxFramesPerSecond: most = Number.POSITIVE_INFINITY } = rule;
  const rounded = Math.round(file.framesPerSecond);
  if (rounded >= least && rounded <= most) return null;
  return {
    detail: 'frame-rate',
    message: `Ce clip a ${numbers.format(file.framesPerSecond)} images par seconde\u00a0: ce modèle en lit de ${least} à ${most}.`,
  };
}

function sizeProblem(
  { width, height }: Measured,
  {
    minSide = 0,
    maxSide = Number.POSITIVE_INFINITY,
    maxRatio = Number.POSITIVE_INFINITY,
    minPixels = 0,
    maxPixels = Number.POSITIVE_INFINITY,
  }: MediaRule,
  { subject, canShrink }: { subject: string; canShrink: boolean },
): MediaProblem | null {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  const fact = `${subject} fait ${numbers.format(width)} × ${numbers.format(height)} pixels`;
  const ofSize = (needed: string) => ({
    detail: 'pixels',
    message: `${fact}\u00a0: ce modèle en demande ${needed}.`,
  });
  if (short < minSide) return ofSize(`au moins ${numbers.format(minSide)} de chaque côté`);
  if (long > maxSide && !canShrink) return ofSize(`au plus ${numbers.format(maxSide)} de chaque côté`);
  if (width * height < minPixels) return ofSize(`au moins ${numbers.format(minPixels)} en tout`);
  if (width * height > maxPixels) return ofSize(`au plus ${numbers.format(maxPixels)} en tout`);
  if (long > short * maxRatio)
    return {
      detail: 'proportions',
      message: `${fact}, ce qui est trop allongé\u00a0: ce modèle lit de 1:${numbers.format(maxRatio)} à ${numbers.format(maxRatio)}:1.`,
    };
  return null;
}
