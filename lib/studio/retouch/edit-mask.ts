import { decodeInTurn } from '#lib/storage/media/decode-in-turn.ts';
import { maskOpacity } from '../composition/blend.ts';
import { loadSharp } from '../composition/load-sharp.ts';
import { maskLevels, type Size } from '../composition/pixels.ts';

/** The opacity from which a mask is white to the model: what is greyer opens nothing. */
export const OPENS_FROM = 128;

/**
 * A mask as the model reads it: black and white and nothing between, of the very size of its picture, as a PNG. Decoded in turn, like every
 * image of the account (`owner`).
 */
export async function blackAndWhite(
  mask: Uint8Array,
  { width, height }: Size,
  owner: string,
): Promise<Uint8Array> {
  const sharp = await loadSharp();
  const draw = async () => {
    const opacity = await maskOpacity(await maskLevels(sharp, mask, { width, height }));
    return sharp(opacity, { raw: { width, height, channels: 1 } })
      .threshold(OPENS_FROM)
      .toColourspace('b-w')
      .png()
      .toBuffer();
  };
  return new Uint8Array(await decodeInTurn(owner, draw));
}
