import { inSlices } from './slices.ts';

/** Mask values this close to black or white are the noise of a compressed mask, not a soft edge. */
const NOISE = 12;
const OPACITY_OF = Uint8Array.from({ length: 256 }, (_, grey) =>
  grey <= NOISE ? 0 : grey >= 255 - NOISE ? 255 : grey,
);

/** How much of the generated picture each pixel takes, 0 to 255, from the mask's grey levels. */
export async function maskOpacity(grey: Uint8Array): Promise<Uint8Array> {
  const opacity = new Uint8Array(grey.length);
  await inSlices(grey.length, (from, to) => {
    for (let pixel = from; pixel < to; pixel += 1) opacity[pixel] = OPACITY_OF[grey[pixel]!]!;
  });
  return opacity;
}

/** Share of the pixels, 0 to 1, that the mask lets change: those of this opacity and above, by default any. */
export async function coverage(opacity: Uint8Array, opensFrom = 1): Promise<number> {
  let open = 0;
  await inSlices(opacity.length, (from, to) => {
    for (let pixel = from; pixel < to; pixel += 1) if (opacity[pixel]! >= opensFrom) open += 1;
  });
  return opacity.length === 0 ? 0 : open / opacity.length;
}

/**
 * The product where the opacity is 0, the generated picture where it is 255, a mix between. All three cover the same pixels;
 * both pictures are straight RGBA.
 */
export async function blend(
  product: Uint8Array,
  generated: Uint8Array,
  opacity: Uint8Array,
): Promise<Uint8Array> {
  const out = new Uint8Array(product.length);
  const [below, above, mixed] = [words(product), words(generated), words(out)];
  await inSlices(opacity.length, (from, to) => {
    for (let pixel = from; pixel < to; pixel += 1) {
      const share = opacity[pixel]!;
      if (share === 0) mixed[pixel] = below[pixel]!;
      else if (share === 255) mixed[pixel] = above[pixel]!;
      else mix(out, product, generated, pixel * 4, share);
    }
  });
  return out;
}

/** Colours weigh by their own transparency, so that an invisible colour never bleeds into the edge. */
function mix(out: Uint8Array, product: Uint8Array, generated: Uint8Array, at: number, share: number): void {
  const kept = product[at + 3]! * (255 - share);
  const added = generated[at + 3]! * share;
  const total = kept + added;
  for (let channel = 0; channel < 3; channel += 1) {
    out[at + channel] =
      total > 0
        ? Math.round((product[at + channel]! * kept + generated[at + channel]! * added) / total)
        : product[at + channel]!;
  }
  out[at + 3] = Math.round(total / 255);
}

/** True when every pixel that the mask keeps closed is, byte for byte, the product's. */
export async function keptOutside(
  product: Uint8Array,
  output: Uint8Array,
  opacity: Uint8Array,
): Promise<boolean> {
  if (product.length !== opacity.length * 4 || output.length !== product.length) return false;
  const [before, after] = [words(product), words(output)];
  let isKept = true;
  await inSlices(opacity.length, (from, to) => {
    for (let pixel = from; pixel < to && isKept; pixel += 1)
      isKept = opacity[pixel] !== 0 || before[pixel] === after[pixel];
  });
  return isKept;
}

/** The pixels of a picture, each as one number. */
function words(bytes: Uint8Array): Uint32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
}
