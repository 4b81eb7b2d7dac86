import { ServiceError } from '#lib/core/errors.ts';
import { blend, coverage, keptOutside, maskOpacity } from './blend.ts';
import { loadSharp, type SharpFactory, type SharpLoader } from './load-sharp.ts';
import { COMPOSITION_LIMITS, failed, maskLevels, rgba, sizeOf } from './pixels.ts';
import { inTurn } from './slices.ts';

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
    throw error instanceof ServiceError ? error : failed('unreadable', { cause: error });
  }
}

async function compose(sharp: SharpFactory, input: CompositionInput): Promise<Composition> {
  const { width, height } = await sizeOf(sharp, input.product);
  return inTurn(width * height, () => composePixels(sharp, input));
}

async function composePixels(sharp: SharpFactory, input: CompositionInput): Promise<Composition> {
  const product = await rgba(sharp, input.product);
  const { width, height } = product;
  const opacity = await maskOpacity(await maskLevels(sharp, input.mask, product));
  const covered = await coverage(opacity);
  if (covered < COMPOSITION_LIMITS.minCoverage || covered > COMPOSITION_LIMITS.maxCoverage)
    throw failed('mask-coverage');
  const generated = await rgba(sharp, input.generated, product);
  const mixed = await blend(product.data, generated.data, opacity);
  const encoded = await sharp(mixed, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
  const png = new Uint8Array(encoded.buffer, encoded.byteOffset, encoded.byteLength);
  const written = await rgba(sharp, png);
  if (written.width !== width || !(await keptOutside(product.data, written.data, opacity)))
    throw failed('pixels');
  return { png, width, height, coverage: covered };
}
