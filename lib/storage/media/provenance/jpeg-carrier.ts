import { bufferOf, type Carrier, isManifestStore, MAX_BLOCKS, splice } from './carrier.ts';

const XMP_HEAD = Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1');
/** A segment's length counts itself and is two bytes long. */
const MAX_SEGMENT = 65_535;

const START_OF_SCAN = 0xda;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP11 = 0xeb;

/** A JPEG: a manifest in APP11 segments, XMP in one APP1. Null when its segments do not lead to its picture. */
export function jpegCarrier(bytes: Uint8Array): Carrier | null {
  const file = bufferOf(bytes);
  let manifest = false;
  let packet: { start: number; end: number; text: Uint8Array } | null = null;
  let insertAt = 2;
  for (let at = 2, blocks = 0; ; blocks += 1) {
    if (blocks > MAX_BLOCKS || at + 4 > file.length || file[at] !== 0xff) return null;
    const marker = file[at + 1]!;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === START_OF_SCAN) break;
    if (marker === 0xd9 || marker === 0 || (marker >= 0xd0 && marker <= 0xd8)) return null;
    const length = file.readUInt16BE(at + 2);
    const end = at + 2 + length;
    if (length < 2 || end > file.length) return null;
    const data = at + 4;
    const begins = (text: string) =>
      file.toString('latin1', data, Math.min(end, data + text.length)) === text;
    // The picture's own head stays first: JFIF, then Exif.
    if (insertAt === at && (marker === APP0 || (marker === APP1 && begins('Exif\0')))) insertAt = end;
    if (marker === APP1 && begins(XMP_HEAD.toString('latin1')))
      packet ??= { start: at, end, text: file.subarray(data + XMP_HEAD.length, end) };
    // Common identifier « JP », instance, sequence number, then the box.
    if (marker === APP11 && begins('JP') && isManifestStore(file.subarray(0, end), data + 8)) manifest = true;
    at = end;
  }
  return {
    manifest,
    xmp: packet?.text ?? null,
    withXmp(text) {
      const length = 2 + XMP_HEAD.length + text.byteLength;
      if (length > MAX_SEGMENT) return null;
      const head = Buffer.from([0xff, APP1, length >> 8, length & 0xff]);
      return splice(
        bytes,
        packet ?? { start: insertAt, end: insertAt },
        Buffer.concat([head, XMP_HEAD, text]),
      );
    },
  };
}
