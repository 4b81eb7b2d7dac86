import { bufferOf, type Carrier, isManifestStore, MAX_BLOCKS, splice } from './carrier.ts';

const HEAD_BYTES = 12;
const LARGEST = 0xffff_ffff;

type Chunk = { start: number; data: number; end: number };

/**
 * A WAV: a manifest in its chunk `C2PA`, XMP in `_PMX` (XMP specification, part 3), at the end, where it moves no sample. Null when its
 * chunks do not lead to the end that it tells: a stream's length, RF64, or bytes after it.
 */
export function wavCarrier(bytes: Uint8Array): Carrier | null {
  const file = bufferOf(bytes);
  if (file.length < HEAD_BYTES || file.toString('latin1', 0, 4) !== 'RIFF') return null;
  if (file.toString('latin1', 8, 12) !== 'WAVE' || file.readUInt32LE(4) + 8 !== file.length) return null;
  let manifest = false;
  let xmp: Chunk | null = null;
  for (let at = HEAD_BYTES, chunks = 0; at < file.length; chunks += 1) {
    if (chunks > MAX_BLOCKS || at + 8 > file.length) return null;
    const id = file.toString('latin1', at, at + 4);
    const data = at + 8;
    const end = data + file.readUInt32LE(at + 4);
    if (end > file.length) return null;
    if (id === 'C2PA' && isManifestStore(file.subarray(data, end), 0)) manifest = true;
    if (id === '_PMX') xmp ??= { start: at, data, end };
    at = end + (end % 2);
  }
  return {
    manifest,
    xmp: xmp ? file.subarray(xmp.data, xmp.end) : null,
    withXmp(text) {
      const head = Buffer.alloc(8);
      head.write('_PMX', 'latin1');
      head.writeUInt32LE(text.byteLength, 4);
      const missing = xmp ? 0 : file.length % 2;
      const chunk = Buffer.concat([
        Buffer.alloc(missing),
        head,
        text,
        Buffer.alloc((8 + text.byteLength) % 2),
      ]);
      const place = xmp
        ? { start: xmp.start, end: Math.min(file.length, xmp.end + (xmp.end % 2)) }
        : { start: file.length, end: file.length };
      const marked = bufferOf(splice(bytes, place, chunk));
      if (marked.length - 8 > LARGEST) return null;
      marked.writeUInt32LE(marked.length - 8, 4);
      return marked;
    },
  };
}
