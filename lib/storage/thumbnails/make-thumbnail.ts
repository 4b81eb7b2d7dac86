import { fileTypeFromBuffer } from 'file-type';
import { MEDIA_LIMITS } from '../media/media-types.ts';

/** The shorter side of a thumbnail, in pixels: what a tile shows. */
const SIDE = 320;
/** The longer one at most: a banner is shown by its middle. */
const LONGEST_SIDE = 3 * SIDE;
const READ_TYPES: ReadonlySet<string> = new Set([
  'image/png',
  // A PNG that moves.
  'image/apng',
  'image/jpeg',
  'image/webp',
  'image/gif',
]);

/**
 * A picture of a tile's size, as WebP, upright, without metadata but what it says of its origin; of an animated picture, the first
 * frame. Null for what has no smaller picture: bytes of another kind, cut, too long to read, or more pixels than the limit of any image.
 */
export async function makeThumbnail(
  bytes: Uint8Array,
  { maxPixels = MEDIA_LIMITS.imagePixels, timeoutSeconds = 10 } = {},
): Promise<Uint8Array | null> {
  // By its bytes and not its recorded type: the library would also open a drawing or a document.
  const type = await fileTypeFromBuffer(bytes);
  if (!type || !READ_TYPES.has(type.mime)) return null;
  const { default: sharp } = await import('sharp');
  try {
    const image = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'truncated', sequentialRead: true });
    const { width, height } = (await image.metadata()).autoOrient;
    const scale = Math.min(1, SIDE / Math.min(width, height), LONGEST_SIDE / Math.max(width, height));
    const side = (pixels: number) => Math.max(1, Math.round(pixels * scale));
    const thumbnail = await image
      .autoOrient()
      .resize({ width: side(width), height: side(height), fit: 'fill' })
      .keepXmp()
      .timeout({ seconds: timeoutSeconds })
      .webp({ quality: 74 })
      .toBuffer();
    return thumbnail.byteLength < bytes.byteLength ? new Uint8Array(thumbnail) : null;
  } catch {
    return null;
  }
}
