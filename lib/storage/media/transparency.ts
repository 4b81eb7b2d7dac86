import { MEDIA_LIMITS } from './media-types.ts';

/** True when a picture lets something through somewhere: a channel that is full everywhere is no transparency. */
export async function isTransparent(bytes: Uint8Array): Promise<boolean> {
  const { default: sharp } = await import('sharp');
  return !(await sharp(bytes, { limitInputPixels: MEDIA_LIMITS.imagePixels }).stats()).isOpaque;
}
