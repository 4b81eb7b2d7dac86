import { bufferOf, type Carrier, isManifestStore, MAX_BLOCKS } from './carrier.ts';

const XMP_FLAG = 0x04;
const ALPHA_FLAG = 0x10;

type Chunk = { id: string; start: number; data: number; end: number };

/** A WebP: a manifest in its chunk `C2PA`, XMP in `XMP ` at the end. Null when its chunks do not lead to their end. */
export function webpCarrier(bytes: Uint8Array): Carrier | null {
  const file = bufferOf(bytes);
  const chunks = chunksOf(file);
  if (!chunks) return null;
  const found = chunks.find(({ id }) => id === 'XMP ');
  return {
    manifest: chunks.some(
      ({ id, data, end }) => id === 'C2PA' && isManifestStore(file.subarray(data, end), 0),
    ),
    xmp: found ? file.subarray(found.data, found.end) : null,
    withXmp(text) {
      const extended = chunks[0]?.id === 'VP8X' ? null : extendedHead(file, chunks);
      if (chunks[0]?.id !== 'VP8X' && !extended) return null;
      const kept = chunks
        .filter(({ id }) => id !== 'XMP ')
        .map(({ start, end }) => padded(file.subarray(start, end)));
      const body = [...(extended ? [extended] : []), ...kept, padded(chunk('XMP ', text))];
      // The extended head says that there is XMP.
      body[0] = Buffer.from(body[0]!);
      body[0][8] = body[0][8]! | XMP_FLAG;
      const size = Buffer.alloc(4);
      size.writeUInt32LE(4 + body.reduce((sum, { length }) => sum + length, 0));
      return Buffer.concat([file.subarray(0, 4), size, Buffer.from('WEBP', 'latin1'), ...body]);
    },
  };
}

function chunksOf(file: Buffer): Chunk[] | null {
  if (file.length < 20 || file.toString('latin1', 8, 12) !== 'WEBP') return null;
  const whole = 8 + file.readUInt32LE(4);
  const chunks: Chunk[] = [];
  for (let at = 12; at < whole; ) {
    if (chunks.length > MAX_BLOCKS || at + 8 > file.length) return null;
    const data = at + 8;
    const end = data + file.readUInt32LE(at + 4);
    if (end > file.length) return null;
    chunks.push({ id: file.toString('latin1', at, at + 4), start: at, data, end });
    at = end + (end % 2);
  }
  return chunks;
}

/** The head that a simple file lacks: its canvas, and whether it has alpha, by its one picture. */
function extendedHead(file: Buffer, [picture]: Chunk[]): Buffer | null {
  const size = picture && (picture.id === 'VP8 ' ? lossy(file, picture) : lossless(file, picture));
  // A canvas of nothing has no place in the head.
  if (!size || size.width === 0 || size.height === 0) return null;
  const data = Buffer.alloc(10);
  data[0] = size.alpha ? ALPHA_FLAG : 0;
  data.writeUIntLE(size.width - 1, 4, 3);
  data.writeUIntLE(size.height - 1, 7, 3);
  return chunk('VP8X', data);
}

function lossy(file: Buffer, { data, end }: Chunk) {
  // Frame tag of three bytes, start code, then 14 bits each way.
  if (data + 10 > end || file.readUIntBE(data + 3, 3) !== 0x9d012a) return null;
  return {
    width: file.readUInt16LE(data + 6) & 0x3fff,
    height: file.readUInt16LE(data + 8) & 0x3fff,
    alpha: false,
  };
}

function lossless(file: Buffer, { id, data, end }: Chunk) {
  if (id !== 'VP8L' || data + 5 > end || file[data] !== 0x2f) return null;
  const bits = file.readUInt32LE(data + 1);
  return {
    width: (bits & 0x3fff) + 1,
    height: ((bits >>> 14) & 0x3fff) + 1,
    alpha: ((bits >>> 28) & 1) === 1,
  };
}

function chunk(id: string, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.write(id, 'latin1');
  head.writeUInt32LE(data.byteLength, 4);
  return Buffer.concat([head, data]);
}

const padded = (bytes: Buffer) => (bytes.length % 2 === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(1)]));
