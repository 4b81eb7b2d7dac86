import type { ImageFormat } from './media-types.ts';

/** Where the image really ends in its file, and whether it moves. */
type ImageStructure = { end: number; animated: boolean };

/**
 * Walks the file's own blocks to their declared end, reading no pixel; null when the walk falls off the file, meets
 * something that is no block, or passes more scans of a JPEG than any encoder makes. What lies past `end` belongs to no image.
 */
export function imageStructure(format: ImageFormat, bytes: Uint8Array): ImageStructure | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    switch (format) {
      case 'png':
        return png(view);
      case 'gif':
        return gif(view);
      case 'webp':
        return webp(view);
      case 'jpeg':
        return jpeg(view);
    }
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const tag = (text: string) => [...text].reduce((value, letter) => value * 256 + letter.charCodeAt(0), 0);
const IEND = tag('IEND');
const ACTL = tag('acTL');

function png(view: DataView): ImageStructure | null {
  let animated = false;
  for (let at = 8; ; ) {
    const length = view.getUint32(at);
    const type = view.getUint32(at + 4);
    at += 12 + length;
    if (at > view.byteLength) return null;
    if (type === ACTL) animated = true;
    if (type === IEND) return { end: at, animated };
  }
}

function gif(view: DataView): ImageStructure | null {
  const colours = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  const skipSubBlocks = (from: number) => {
    let at = from;
    for (let size = view.getUint8(at); size !== 0; size = view.getUint8(at)) at += size + 1;
    return at + 1;
  };
  let frames = 0;
  let at = 13 + colours(view.getUint8(10));
  for (;;) {
    const introducer = view.getUint8(at);
    if (introducer === 0x3b) return frames === 0 ? null : { end: at + 1, animated: frames > 1 };
    if (introducer === 0x21) at = skipSubBlocks(at + 2);
    else if (introducer === 0x2c) {
      frames += 1;
      at = skipSubBlocks(at + 11 + colours(view.getUint8(at + 9)));
    } else return null;
  }
}

function webp(view: DataView): ImageStructure | null {
  const end = 8 + view.getUint32(4, true);
  if (end > view.byteLength || end < 20) return null;
  const animated = view.getUint32(12) === tag('VP8X') && (view.getUint8(20) & 0x02) !== 0;
  return { end: Math.min(end + (end % 2), view.byteLength), animated };
}

/** Each scan takes its reader through the whole picture again: a file of 80 KB has 900, and would keep it for minutes. Encoders make ten or so. */
const MAX_SCANS = 100;

function jpeg(view: DataView): ImageStructure | null {
  let scans = 0;
  for (let at = 2; ; ) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0xd9) return { end: at + 2, animated: false };
    if (marker === 0 || marker === 0xd8) return null;
    at += 2;
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) continue;
    const length = view.getUint16(at);
    if (length < 2) return null;
    at += length;
    if (marker !== 0xda) continue;
    scans += 1;
    if (scans > MAX_SCANS) return null;
    at = endOfScan(view, at);
  }
}

/** Compressed data runs until a marker that is neither a stuffed byte, a restart nor a fill byte. */
function endOfScan(view: DataView, from: number): number {
  for (let at = from; ; at += 1) {
    if (view.getUint8(at) !== 0xff) continue;
    const next = view.getUint8(at + 1);
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
}
