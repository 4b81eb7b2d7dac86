import type { MediaRule } from '#lib/providers/models/entry.ts';
import { decodeInTurn } from '#lib/storage/media/decode-in-turn.ts';
import { MEDIA_LIMITS } from '#lib/storage/media/media-types.ts';
import { isReadAsIs } from './check-media.ts';
import type { ReadReference } from './read-references.ts';

/**
 * What the images of one request may weigh together as bytes: the gateway answers 413 above 4.5 MB, in which they stand as base64
 * beside a prompt.
 */
export const INLINE_BYTES = 3_000_000;

/** Longest sides to try, from the largest that a model reads to one that fits whatever the picture holds. */
const SIZES = [
  { side: 2_048, quality: 90 },
  { side: 1_536, quality: 85 },
  { side: 1_024, quality: 80 },
  { side: 640, quality: 70 },
] as const;

/** How many bytes each of these images may have: what light ones leave is shared by the heavy ones. */
export function inlineShare(weights: readonly number[]): number {
  let left = INLINE_BYTES;
  let share = left;
  for (const [index, bytes] of [...weights].sort((a, b) => a - b).entries()) {
    share = Math.floor(left / (weights.length - index));
    if (bytes > share) break;
    left -= bytes;
  }
  return share;
}

type Picture = Pick<ReadReference, 'bytes' | 'contentType' | 'width' | 'height'>;
type Inline = { bytes: Uint8Array; contentType: string };

/**
 * The very image when it is no heavier than `mostBytes` and is read as it is (`media`: what the model's maker reads); else the same picture, smaller,
 * upright, still see-through where it was and WebP is read. Decoded in turn, like every image of the account (`owner`).
 */
export async function fitImage(
  image: Picture,
  { mostBytes, owner, media }: { mostBytes: number; owner: string; media?: MediaRule | undefined },
): Promise<Inline> {
  const { bytes, contentType } = image;
  if (bytes.byteLength <= mostBytes && isReadAsIs(image, media)) return { bytes, contentType };
  const readsWebp = media?.types?.includes('image/webp') ?? true;
  return decodeInTurn(owner, () => shrink({ bytes, contentType }, mostBytes, readsWebp));
}

async function shrink(image: Inline, mostBytes: number, readsWebp: boolean): Promise<Inline> {
  const { default: sharp } = await import('sharp');
  let smaller = image;
  for (const { side, quality } of SIZES) {
    const picture = sharp(image.bytes, { limitInputPixels: MEDIA_LIMITS.imagePixels })
      .rotate()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true });
    const isWebp = readsWebp && (await picture.metadata()).hasAlpha;
    const opaque = () => picture.flatten({ background: 'white' }).jpeg({ quality });
    const made = await (isWebp ? picture.webp({ quality }) : opaque()).toBuffer();
    smaller = { bytes: new Uint8Array(made), contentType: isWebp ? 'image/webp' : 'image/jpeg' };
    if (made.byteLength <= mostBytes) break;
  }
  return smaller;
}

/** What an image weighs before shares are made: one that is made anew may take all that it is given. */
export function weightOf(image: Picture, media: MediaRule | undefined): number {
  return isReadAsIs(image, media) ? image.bytes.byteLength : Number.POSITIVE_INFINITY;
}

/** Images that fit together in one request, in their order: those that are light enough, and read as they are, are sent so. */
export function fitImages(
  images: readonly Picture[],
  { owner, media }: { owner: string; media?: MediaRule | undefined },
): Promise<Inline[]> {
  const mostBytes = inlineShare(images.map((image) => weightOf(image, media)));
  return Promise.all(images.map((image) => fitImage(image, { mostBytes, owner, media })));
}
