import { bufferOf, type Carrier, MAX_BLOCKS, splice } from './carrier.ts';
import { mp4Carrier } from './mp4-carrier.ts';

type Box = { type: string; start: number; data: number; end: number };

/**
 * A QuickTime film: XMP in `moov/udta/XMP_` (XMP specification, part 3), a manifest in the same box as an MP4's. Only where `moov` ends the
 * file: before its samples, a byte more would move them all. Null when its boxes do not lead to its end.
 */
export function movCarrier(bytes: Uint8Array): Carrier | null {
  const film = mp4Carrier(bytes);
  const file = bufferOf(bytes);
  const boxes = film && boxesOf(file, 0, file.length);
  if (!film || !boxes) return null;
  const moov = boxes.find(({ type }) => type === 'moov');
  const inside = moov ? boxesOf(file, moov.data, moov.end) : null;
  const udta = inside?.find(({ type }) => type === 'udta');
  const userBoxes = udta ? boxesOf(file, udta.data, udta.end) : null;
  const packet = userBoxes?.find(({ type }) => type === 'XMP_');
  return {
    manifest: film.manifest,
    xmp: packet ? file.subarray(packet.data, packet.end) : film.xmp,
    withXmp(text) {
      // XMP where an MP4 has it, or a list that is not read to its end, is left as it is.
      if (!moov || !inside || moov.end !== file.length || film.xmp || (udta && !userBoxes)) return null;
      const xmp = box('XMP_', text);
      const inserted = udta ? xmp : box('udta', xmp);
      const place = packet ?? at(udta ? udta.data : moov.end);
      const marked = bufferOf(splice(bytes, place, inserted));
      const grown = marked.length - file.length;
      for (const parent of udta ? [moov, udta] : [moov])
        marked.writeUInt32BE(parent.end - parent.start + grown, parent.start);
      return marked;
    },
  };
}

const at = (place: number) => ({ start: place, end: place });

function box(type: string, body: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.byteLength);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

/** Boxes with lengths of four bytes, side by side; a list of QuickTime may end with four zeros. */
function boxesOf(file: Buffer, from: number, to: number): Box[] | null {
  const boxes: Box[] = [];
  for (let start = from; start < to; ) {
    if (to - start === 4 && file.readUInt32BE(start) === 0) return boxes;
    if (boxes.length > MAX_BLOCKS || start + 8 > to) return null;
    const short = file.readUInt32BE(start);
    const wide = short === 1 && start + 16 <= to;
    const size = wide ? Number(file.readBigUInt64BE(start + 8)) : short;
    const type = file.toString('latin1', start + 4, start + 8);
    // What is grown here has its length in four bytes.
    if (wide && (type === 'moov' || type === 'udta')) return null;
    if (size < (wide ? 16 : 8) || start + size > to) return null;
    boxes.push({ type, start, data: start + (wide ? 16 : 8), end: start + size });
    start += size;
  }
  return boxes;
}
