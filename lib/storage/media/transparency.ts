import { decodeInTurn } from './decode-in-turn.ts';
import { MEDIA_LIMITS } from './media-types.ts';

/**
 * True when at least one pixel is not fully opaque: an alpha channel that is opaque everywhere does not count. Decoded in turn, like every
 * image of the account (`owner`).
 */
export async function isTransparent(bytes: Uint8Array, owner: string): Promise<boolean> {
  const { default: sharp } = await import('sharp');
  const read = () => sharp(bytes, { limitInputPixels: MEDIA_LIMITS.imagePixels }).stats();
  return !(await decodeInTurn(owner, read)).isOpaque;
}
