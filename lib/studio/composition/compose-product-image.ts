import { ServiceError } from '#lib/core/errors.ts';
import { blend, coverage, keptOutside, maskOpacity } from './blend.ts';
import { loadSharp, type SharpFactory, type SharpLoader } from './load-sharp.ts';

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
export type CompositionFailure = 'unreadable' | 'proportions' | 'mask-coverage' | 'pixels';

export type CompositionInput = {
  /** The product as photographed: kept pixel for pixel wherever the mask is black. */
  product: Uint8Array;
  /** What the provider drew. */
  generated: Uint8Array;
  /** White where the generated picture shows, black (or transparent) where the product stays. */
  mask: Uint8Array;
};

export type Composition = { png: Uint8Array; width: number; height: number; coverage: number };

/**
 * Lays a generated picture behind a product. The result has the product's size, upright, in 8-bit sRGB: that decoding is
 * what "pixel for pixel" is measured on. The generated picture and the mask are brought to that size when their
 * proportions agree within 2 %, the mask without inventing levels. The finished PNG is decoded again and compared outside
 * the mask. Throws `composition-unavailable` or `composition-failed`, whose `detail` is a `CompositionFailure`.
 */
export async function composeProductImage(
  input: CompositionInput,
  options: { load?: SharpLoader } = {},
): Promise<Composition> {
  const sharp = await loadSharp(options.load);
  try {
    return await compose(sharp, input);
  } catch (error) {
    throw error instanceof ServiceError ? error : failed('unreadable', error);
  }
}

async function compose(sharp: SharpFactory, input: CompositionInput): Promise<Composition> {
  const product = await rgba(sharp, input.product);
  const { width, height } = product;
  const opacity = maskOpacity(await maskLevels(sharp, input.mask, product));
  const covered = coverage(opacity);
  if (covered < COMPOSITION_LIMITS.minCoverage || covered > COMPOSITION_LIMITS.maxCoverage)
    throw failed('mask-coverage');
  const generated = await rgba(sharp, input.generated, product);
  const mixed = blend(product.data, generated.data, opacity);
  const encoded = await sharp(mixed, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
  const png = new Uint8Array(encoded.buffer, encoded.byteOffset, encoded.byteLength);
  const written = await rgba(sharp, png);
  if (written.width !== width || !keptOutside(product.data, written.data, opacity)) throw failed('pixels');
  return { png, width, height, coverage: covered };
}

type Size = { width: number; height: number };
type Pixels = Size & { data: Uint8Array };

/** Straight RGBA, upright, in sRGB; brought to `size` when given. */
async function rgba(sharp: SharpFactory, bytes: Uint8Array, size?: Size): Promise<Pixels> {
  const image = (await open(sharp, bytes, size)).toColourspace('srgb').ensureAlpha();
  const { data, info } = await (size ? image.resize({ ...only(size), fit: 'fill' }) : image)
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  if (info.channels !== 4) throw failed('unreadable');
  return { data: plain(data), width: info.width, height: info.height };
}

/** The mask's grey levels at the given size; what is transparent counts as black. */
async function maskLevels(sharp: SharpFactory, bytes: Uint8Array, size: Size): Promise<Uint8Array> {
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

async function open(sharp: SharpFactory, bytes: Uint8Array, size?: Size) {
  const image = sharp(bytes, {
    limitInputPixels: COMPOSITION_LIMITS.maxPixels,
    failOn: 'truncated',
  }).autoOrient();
  if (size) {
    const { width, height } = (await image.metadata()).autoOrient;
    const stretch = (width * size.height) / (height * size.width);
    if (Math.abs(Math.log(stretch)) > Math.log1p(COMPOSITION_LIMITS.maxStretch)) throw failed('proportions');
  }
  return image;
}

const only = ({ width, height }: Size): Size => ({ width, height });
const plain = (data: Buffer) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength);

function failed(detail: CompositionFailure, cause?: unknown): ServiceError {
  return new ServiceError('composition-failed', { detail, cause });
}
