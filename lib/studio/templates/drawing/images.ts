import { MEDIA_LIMITS } from '#lib/storage/media/media-types.ts';
import type { PhotoRequest } from './sheet.ts';

/** A photograph that cannot be used; the runner reports it under this code. */
export class PhotoError extends Error {
  readonly code = 'image-unreadable';
}

export const MAX_PHOTO_BYTES = 8 * 1024 * 1024;
const FORMATS = new Set(['jpeg', 'png', 'webp', 'gif', 'avif', 'heif']);

/**
 * Checks and decodes a photograph once: a known raster format by its own bytes, at most 8 MB and as many pixels as any reference,
 * upright, first frame only. What a reference may be is drawn: no render is launched in vain. Returns lossless bytes ready to be cropped. Throws `PhotoError`.
 */
export async function decodePhoto(bytes: Uint8Array): Promise<Buffer> {
  if (bytes.byteLength > MAX_PHOTO_BYTES) throw new PhotoError('image larger than 8 MB');
  const { default: sharp } = await import('sharp');
  try {
    const image = sharp(bytes, { limitInputPixels: MEDIA_LIMITS.imagePixels, pages: 1, failOn: 'truncated' });
    const { format } = await image.metadata();
    if (!format || !FORMATS.has(format)) throw new PhotoError('image format not accepted');
    return await image
      .rotate()
      .resize({ width: 3000, height: 3000, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .png({ compressionLevel: 1 })
      .toBuffer();
  } catch (error) {
    if (error instanceof PhotoError) throw error;
    throw new PhotoError('image could not be decoded', { cause: error });
  }
}

/** The photograph cropped to its place around what draws the eye, transparent parts on the design's ground. */
export async function placePhoto(request: PhotoRequest): Promise<string> {
  const { default: sharp } = await import('sharp');
  const { width, height, ground, photo } = request;
  const source = photo ? sharp(photo.bytes) : sharp(Buffer.from(stillLife(request)));
  const bytes = await source
    .resize(width, height, { fit: 'cover', position: photo ? sharp.strategy.attention : 'centre' })
    .flatten({ background: ground })
    .png({ compressionLevel: 1 })
    .toBuffer();
  return `data:image/png;base64,${bytes.toString('base64')}`;
}

/** What a preview shows before a photograph is chosen: an arch, a plinth and a bottle, in the brand's tones. */
function stillLife({ width: w, height: h, ground, tone }: PhotoRequest): string {
  const s = Math.min(w, h);
  const cx = w / 2;
  const floor = h * 0.5 + s * 0.3;
  const shape = (d: string, opacity: number) => `<path d="${d}" fill="${tone}" fill-opacity="${opacity}"/>`;
  const arch = `M${cx - s * 0.3} ${floor}V${floor - s * 0.42}a${s * 0.3} ${s * 0.3} 0 0 1 ${s * 0.6} 0V${floor}Z`;
  const body = `M${cx - s * 0.1} ${floor - s * 0.06}v${-s * 0.24}q0 ${-s * 0.06} ${s * 0.06} ${-s * 0.07}v${-s * 0.05}h${s * 0.08}v${s * 0.05}q${s * 0.06} ${s * 0.01} ${s * 0.06} ${s * 0.07}v${s * 0.24}Z`;
  const cap = `M${cx - s * 0.05} ${floor - s * 0.44}h${s * 0.1}v${-s * 0.1}h${-s * 0.1}Z`;
  const plinth = `M${cx - s * 0.2} ${floor}v${-s * 0.06}h${s * 0.4}v${s * 0.06}Z`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}"><rect width="${w}" height="${h}" fill="${ground}"/><rect y="${floor}" width="${w}" height="${h - floor}" fill="${tone}" fill-opacity="0.1"/>${shape(arch, 0.16)}${shape(plinth, 0.38)}${shape(body, 0.85)}${shape(cap, 0.5)}</svg>`;
}
