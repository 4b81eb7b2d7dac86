import { decodeInTurn } from './decode-in-turn.ts';
import { hasHiddenContent } from './hidden-content.ts';
import { imageStructure } from './image-structure.ts';
import { MediaRefusal } from './media-refusal.ts';
import { contentTypeOf, extensionOf, type ImageFormat, MEDIA_LIMITS } from './media-types.ts';

export type ProbedImage = {
  kind: 'image';
  format: ImageFormat;
  contentType: string;
  extension: string;
  bytes: number;
  /** As shown: a photograph's orientation is applied. */
  width: number;
  height: number;
  animated: boolean;
  hasAlpha: boolean;
};

/**
 * Measures an image whose format was found in its bytes, decoding every line of its first frame once, so that a damaged or
 * cut file is caught here; its pixels, its weight and its scans are bounded, and with them the time that takes. Images are decoded in turn: two at once in this process, one for the same account (`owner`). Throws `MediaRefusal`.
 */
export async function probeImage(bytes: Uint8Array, format: ImageFormat, owner = ''): Promise<ProbedImage> {
  const structure = imageStructure(format, bytes);
  if (!structure) throw new MediaRefusal('image-unreadable');
  // Phones hang films and second pictures after a JPEG; nothing honest hangs after the others but zeros.
  if (format !== 'jpeg' && !isZeroFrom(bytes, structure.end)) throw new MediaRefusal('hidden-content');
  if (hasHiddenContent(bytes, structure.end)) throw new MediaRefusal('hidden-content');
  return decodeInTurn(owner, () => decode(bytes, format, structure));
}

/** Whether nothing but zeros follows. A plain loop: a call for each byte takes tens of milliseconds of a large file. */
function isZeroFrom(bytes: Uint8Array, from: number): boolean {
  for (let at = from; at < bytes.length; at += 1) if (bytes[at] !== 0) return false;
  return true;
}

async function decode(
  bytes: Uint8Array,
  format: ImageFormat,
  structure: { animated: boolean },
): Promise<ProbedImage> {
  const { default: sharp } = await import('sharp');
  const image = sharp(bytes, {
    limitInputPixels: MEDIA_LIMITS.imagePixels,
    failOn: 'truncated',
    sequentialRead: true,
  });
  try {
    const metadata = await image.metadata();
    const { width, height } = metadata.autoOrient;
    if (metadata.format !== format || !(width > 0 && height > 0)) throw new MediaRefusal('image-unreadable');
    // Shrinking reads every line of the frame and keeps none; the loaders' own shortcuts would skip some.
    await image
      .resize({ width: 8, height: 8, fit: 'fill', kernel: 'linear', fastShrinkOnLoad: false })
      .raw()
      .toBuffer();
    const animated = structure.animated || (metadata.pages ?? 1) > 1;
    return {
      kind: 'image',
      format,
      contentType: contentTypeOf(format),
      extension: extensionOf(format),
      bytes: bytes.byteLength,
      width,
      height,
      animated,
      hasAlpha: metadata.hasAlpha,
    };
  } catch (error) {
    if (error instanceof MediaRefusal) throw error;
    const tooBig = error instanceof Error && /pixel limit/i.test(error.message);
    throw new MediaRefusal(tooBig ? 'image-too-big' : 'image-unreadable', { cause: error });
  }
}
