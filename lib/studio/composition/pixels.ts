import { type Problem, ServiceError } from '#lib/core/errors.ts';
import type { SharpFactory } from './load-sharp.ts';

export const COMPOSITION_LIMITS = {
  /** Share of the picture that the mask may open. */
  minCoverage: 0.001,
  maxCoverage: 0.95,
  /** Four full pictures are held at once while composing. */
  maxPixels: 24_000_000,
  /** Largest difference between two pictures' proportions that is a rounding of the provider, not another framing. */
  maxStretch: 0.02,
} as const;

/** Why a composition failed, in the refusal's `detail`. */
export type CompositionFailure = 'unreadable' | 'too-large' | 'proportions' | 'mask-coverage' | 'pixels';

export type Size = { width: number; height: number };
export type Pixels = Size & { data: Uint8Array };

/** Whether two sizes have the same proportions, within what a provider rounds, or within so many of its roundings. */
export function sameProportions(a: Size, b: Size, roundings = 1): boolean {
  const stretch = (a.width * b.height) / (a.height * b.width);
  return Math.abs(Math.log(stretch)) <= roundings * Math.log1p(COMPOSITION_LIMITS.maxStretch);
}

/** A format, `4:3`, as a size. */
export function sizeOfRatio(ratio: string): Size {
  const [width = 1, height = 1] = ratio.split(':').map(Number);
  return { width, height };
}

/** A picture's size as shown: a photograph's orientation is applied. Throws `composition-failed` (`too-large`). */
export async function sizeOf(sharp: SharpFactory, bytes: Uint8Array): Promise<Size> {
  // The header alone is read here; what is decoded later is bounded by the same number.
  const { width, height } = (await sharp(bytes, { limitInputPixels: false }).metadata()).autoOrient;
  if (width * height > COMPOSITION_LIMITS.maxPixels) throw failed('too-large');
  return { width, height };
}

/** The product is a rounding away from the format that was drawn, and what was drawn another one. */
const DRAWN_ROUNDINGS = 2;

/** Straight RGBA, upright, in sRGB; what was drawn is brought to the product's `size`. */
export async function rgba(sharp: SharpFactory, bytes: Uint8Array, size?: Size): Promise<Pixels> {
  const image = (await open(sharp, bytes, size, DRAWN_ROUNDINGS)).toColourspace('srgb').ensureAlpha();
  const { data, info } = await (size ? image.resize({ ...only(size), fit: 'fill' }) : image)
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  if (info.channels !== 4) throw failed('unreadable');
  return { data: plain(data), width: info.width, height: info.height };
}

/** The mask's grey levels at the given size; what is transparent counts as black. */
export async function maskLevels(sharp: SharpFactory, bytes: Uint8Array, size: Size): Promise<Uint8Array> {
  const image = await open(sharp, bytes, size);
  const { data, info } = await image
    .flatten({ background: 'black' })
    .toColourspace('b-w')
    .resize({ ...only(size), fit: 'fill', kernel: 'nearest' })
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  if (info.channels !== 1) throw failed('unreadable');
  return plain(data);
}

async function open(sharp: SharpFactory, bytes: Uint8Array, size?: Size, roundings = 1) {
  const image = sharp(bytes, {
    limitInputPixels: COMPOSITION_LIMITS.maxPixels,
    failOn: 'truncated',
  }).autoOrient();
  if (size && !sameProportions((await image.metadata()).autoOrient, size, roundings))
    throw failed('proportions');
  return image;
}

const only = ({ width, height }: Size): Size => ({ width, height });
const plain = (data: Buffer) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength);

/** `composition-failed`, whose `detail` is the reason; with the sentence about a field when the caller can mend it. */
export function failed(
  detail: CompositionFailure,
  more: { problem?: Problem | undefined; cause?: unknown } = {},
): ServiceError {
  const { problem, cause } = more;
  return new ServiceError('composition-failed', {
    detail,
    cause,
    ...(problem ? { message: problem.message, problems: [problem] } : {}),
  });
}
