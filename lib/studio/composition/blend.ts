/** Mask values this close to black or white are the noise of a compressed mask, not a soft edge. */
const NOISE = 12;

/** How much of the generated picture each pixel takes, 0 to 255, from the mask's grey levels. */
export function maskOpacity(grey: Uint8Array): Uint8Array {
  return grey.map((value) => (value <= NOISE ? 0 : value >= 255 - NOISE ? 255 : value));
}

/** Share of the pixels, 0 to 1, that the mask lets change at all. */
export function coverage(opacity: Uint8Array): number {
  let open = 0;
  for (const value of opacity) if (value > 0) open += 1;
  return opacity.length === 0 ? 0 : open / opacity.length;
}

/**
 * The product where the opacity is 0, the generated picture where it is 255, a mix between. All three cover the same pixels;
 * both pictures are straight RGBA.
 */
export function blend(product: Uint8Array, generated: Uint8Array, opacity: Uint8Array): Uint8Array {
  const out = product.slice();
  for (let pixel = 0; pixel < opacity.length; pixel += 1) {
    const share = opacity[pixel]!;
    const at = pixel * 4;
    if (share === 255) out.set(generated.subarray(at, at + 4), at);
    else if (share > 0) mix(out, product, generated, at, share);
  }
  return out;
}

/** Colours weigh by their own transparency, so that an invisible colour never bleeds into the edge. */
function mix(out: Uint8Array, product: Uint8Array, generated: Uint8Array, at: number, share: number): void {
  const kept = product[at + 3]! * (255 - share);
  const added = generated[at + 3]! * share;
  const total = kept + added;
  for (let channel = 0; channel < 3 && total > 0; channel += 1) {
    out[at + channel] = Math.round(
      (product[at + channel]! * kept + generated[at + channel]! * added) / total,
    );
  }
  out[at + 3] = Math.round(total / 255);
}

/** True when every pixel that the mask keeps closed is, byte for byte, the product's. */
export function keptOutside(product: Uint8Array, output: Uint8Array, opacity: Uint8Array): boolean {
  if (product.length !== opacity.length * 4 || output.length !== product.length) return false;
  for (let pixel = 0; pixel < opacity.length; pixel += 1) {
    if (opacity[pixel] !== 0) continue;
    const at = pixel * 4;
    for (let channel = at; channel < at + 4; channel += 1)
      if (product[channel] !== output[channel]) return false;
  }
  return true;
}
