import { MEDIA_LIMITS } from './media-types.ts';

/** True when at least one pixel is not fully opaque: an alpha channel that is opaque everywhere does not count. */
export async function isTransparent(bytes: Uint8Array): Promise<boolean> {
  const { default: sharp } = await import('sharp');
  return !(await sharp(bytes, { limitInputPixels: MEDIA_LIMITS.imagePixels }).stats()).isOpaque;
}
