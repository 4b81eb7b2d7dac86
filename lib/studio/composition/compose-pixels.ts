import { blend, coverage, keptOutside, maskOpacity } from './blend.ts';
import type { Composition, CompositionInput } from './composition.ts';
import type { SharpFactory } from './load-sharp.ts';
import { COMPOSITION_LIMITS, failed, maskLevels, rgba } from './pixels.ts';

/** Lays the generated picture behind the product, here and now. Errors: those of `composeProductImage`. */
export async function composePixels(sharp: SharpFactory, input: CompositionInput): Promise<Composition> {
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
