import type { Sharp } from 'sharp';
import { decodeInTurn } from '#lib/storage/media/decode-in-turn.ts';
import { MEDIA_LIMITS } from '#lib/storage/media/media-types.ts';
import { INLINE_BYTES } from '../references/fit-inline.ts';
import type { ReadReference } from '../references/read-references.ts';

/** A picture as it is sent: JPEG or PNG, upright, and its pixels. */
export type Upright = { bytes: Uint8Array; contentType: string; width: number; height: number };

const READ_BY_ALL = new Set(['image/jpeg', 'image/png']);
/** Longest sides to try, from the largest, until the request is small enough. */
const SIZES = [4_096, 3_072, 2_048, 1_536, 1_024] as const;
/** What is left for the mask beside it: black and white weigh little. */
const MAX_BYTES = INLINE_BYTES - 300_000;

/**
 * The very bytes when the models read them as they are and they fit in a request; else the same picture as a JPEG, its orientation
 * applied, as large as fits. Decoded in turn, like every image of the account (`owner`).
 */
export async function uprightPicture({ bytes, contentType }: ReadReference, owner: string): Promise<Upright> {
  const { default: sharp } = await import('sharp');
  const open = () => sharp(bytes, { limitInputPixels: MEDIA_LIMITS.imagePixels });
  const { width, height, orientation = 1 } = await open().metadata();
  if (READ_BY_ALL.has(contentType) && orientation === 1 && bytes.byteLength <= MAX_BYTES)
    return { bytes, contentType, width, height };
  return decodeInTurn(owner, () => asJpeg(open));
}

async function asJpeg(open: () => Sharp): Promise<Upright> {
  for (const side of SIZES) {
    const { data, info } = await open()
      .rotate()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: 'white' })
      .jpeg({ quality: 92 })
      .toBuffer({ resolveWithObject: true });
    if (data.byteLength <= MAX_BYTES || side === SIZES.at(-1))
      return {
        bytes: new Uint8Array(data),
        contentType: 'image/jpeg',
        width: info.width,
        height: info.height,
      };
  }
  throw new RangeError('no size is left');
}
