import { crc32, inflateSync } from 'node:zlib';
import { bufferOf, type Carrier, isManifestStore, MAX_BLOCKS, splice } from './carrier.ts';

/** Keyword, no compression, no language: the head of the `iTXt` chunk that holds XMP (XMP part 3, PNG). */
const XMP_HEAD = Buffer.from('XML:com.adobe.xmp\0\0\0\0\0', 'latin1');
const XMP_KEYWORD = 'XML:com.adobe.xmp\0';
const TEXT_CHUNKS = ['iTXt', 'zTXt', 'tEXt'];
/** A packet is some kilobytes; a compressed one may say that it is anything. */
const MAX_PACKET_BYTES = 256 * 1024;
const FIRST_CHUNK = 8;

/** A PNG: a manifest in `caBX`, XMP in `iTXt` after the header. Null when its chunks do not lead to their end. */
export function pngCarrier(bytes: Uint8Array): Carrier | null {
  const file = bufferOf(bytes);
  let manifest = false;
  let packet: { start: number; end: number; text: Uint8Array } | null = null;
  let readable = true;
  let headerEnd = 0;
  for (let at = FIRST_CHUNK, blocks = 0; ; blocks += 1) {
    if (blocks > MAX_BLOCKS || at + 12 > file.length) return null;
    const data = at + 8;
    const end = data + file.readUInt32BE(at) + 4;
    if (end > file.length) return null;
    const type = file.toString('latin1', at + 4, data);
    if (at === FIRST_CHUNK) {
      if (type !== 'IHDR') return null;
      headerEnd = end;
    }
    if (type === 'caBX' && isManifestStore(file.subarray(data, end - 4), 0)) manifest = true;
    if (
      TEXT_CHUNKS.includes(type) &&
      file.toString('latin1', data, data + XMP_KEYWORD.length) === XMP_KEYWORD
    ) {
      // A file has one packet: of the others none is unpacked, for each may grow a thousandfold.
      const text: Uint8Array | null = packet || !readable ? null : textOf(type, file.subarray(data, end - 4));
      if (text) packet = { start: at, end, text };
      else readable = false;
    }
    if (type === 'IEND') break;
    at = end;
  }
  return {
    manifest,
    xmp: packet?.text ?? null,
    withXmp: (text) =>
      readable ? splice(bytes, packet ?? { start: headerEnd, end: headerEnd }, chunkOf(text)) : null,
  };
}

/** The packet as plain `iTXt`, or in the `zTXt` that some libraries write; null for another form. */
function textOf(type: string, body: Buffer): Uint8Array | null {
  if (type === 'iTXt')
    return body.subarray(0, XMP_HEAD.length).equals(XMP_HEAD) ? body.subarray(XMP_HEAD.length) : null;
  if (type !== 'zTXt') return null;
  try {
    return inflateSync(body.subarray(XMP_KEYWORD.length + 1), { maxOutputLength: MAX_PACKET_BYTES });
  } catch {
    return null;
  }
}

function chunkOf(packet: Uint8Array): Uint8Array {
  const typed = Buffer.concat([Buffer.from('iTXt', 'latin1'), XMP_HEAD, packet]);
  const chunk = Buffer.alloc(typed.length + 8);
  chunk.writeUInt32BE(typed.length - 4, 0);
  typed.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(typed), typed.length + 4);
  return chunk;
}
