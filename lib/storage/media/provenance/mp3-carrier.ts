import { bufferOf, type Carrier, isManifestStore, MAX_BLOCKS, splice } from './carrier.ts';

const HEAD_BYTES = 10;
const XMP_OWNER = Buffer.from('XMP\0', 'latin1');
/** What C2PA writes, and what it wrote before. */
const MANIFEST_TYPES = ['application/c2pa', 'application/x-c2pa-manifest-store'];

type Tag = { version: number; end: number };

/** An MP3: a manifest in a GEOB frame of its ID3 tag, XMP in a PRIV frame. Null when it has a tag that is not read here. */
export function mp3Carrier(bytes: Uint8Array): Carrier | null {
  const file = bufferOf(bytes);
  if (file.toString('latin1', 0, 3) !== 'ID3') {
    if (file.length < 4 || file[0] !== 0xff || (file[1]! & 0xe0) !== 0xe0) return null;
    return {
      manifest: false,
      xmp: null,
      withXmp: (text) => splice(bytes, { start: 0, end: 0 }, newTag(3, frame(3, text))),
    };
  }
  const tag = tagOf(file);
  if (!tag) return null;
  const found = framesOf(file, tag);
  if (!found) return null;
  return {
    manifest: found.manifest,
    xmp: found.packet?.text ?? null,
    withXmp(text) {
      // Its own frame first: what follows the padding of a tag is read by nobody.
      const { start, end } = found.packet ?? { start: HEAD_BYTES, end: HEAD_BYTES };
      const frames = splice(
        file.subarray(HEAD_BYTES, tag.end),
        { start: start - HEAD_BYTES, end: end - HEAD_BYTES },
        frame(tag.version, text),
      );
      return splice(bytes, { start: 0, end: tag.end }, newTag(tag.version, frames));
    },
  };
}

/** ID3 2.3 and 2.4 without extended head, footer or unsynchronisation: what encoders write. */
function tagOf(file: Buffer): Tag | null {
  if (file.length < HEAD_BYTES) return null;
  const version = file[3]!;
  const end = HEAD_BYTES + synchsafe(file, 6);
  return (version === 3 || version === 4) && file[5] === 0 && end <= file.length ? { version, end } : null;
}

function framesOf(file: Buffer, { version, end }: Tag) {
  let manifest = false;
  let packet: { start: number; end: number; text: Uint8Array } | null = null;
  for (let at = HEAD_BYTES, frames = 0; at + HEAD_BYTES <= end && file[at] !== 0; frames += 1) {
    const size = version === 4 ? synchsafe(file, at + 4) : file.readUInt32BE(at + 4);
    const data = at + HEAD_BYTES;
    const next = data + size;
    if (frames > MAX_BLOCKS || next > end) return null;
    const id = file.toString('latin1', at, at + 4);
    if (id === 'GEOB' && isManifestObject(file.subarray(data, next))) manifest = true;
    if (id === 'PRIV' && file.subarray(data, data + XMP_OWNER.length).equals(XMP_OWNER))
      packet ??= { start: at, end: next, text: file.subarray(data + XMP_OWNER.length, next) };
    at = next;
  }
  return { manifest, packet };
}

/** Encoding, type, file name, description, then the object; the texts of a manifest are plain. */
function isManifestObject(body: Buffer): boolean {
  const typeEnd = body.indexOf(0, 1);
  if (typeEnd < 0 || !MANIFEST_TYPES.includes(body.toString('latin1', 1, typeEnd))) return false;
  const step = body[0] === 1 || body[0] === 2 ? 2 : 1;
  let at = typeEnd + 1;
  for (let text = 0; text < 2; text += 1) {
    while (at < body.length && !(body[at] === 0 && (step === 1 || body[at + 1] === 0))) at += step;
    at += step;
  }
  return isManifestStore(body, at);
}

function frame(version: number, packet: Uint8Array): Uint8Array {
  const head = Buffer.alloc(HEAD_BYTES);
  head.write('PRIV', 'latin1');
  const size = XMP_OWNER.length + packet.byteLength;
  if (version === 4) writeSynchsafe(head, 4, size);
  else head.writeUInt32BE(size, 4);
  return Buffer.concat([head, XMP_OWNER, packet]);
}

function newTag(version: number, frames: Uint8Array): Uint8Array {
  const head = Buffer.alloc(HEAD_BYTES);
  head.write('ID3', 'latin1');
  head[3] = version;
  writeSynchsafe(head, 6, frames.byteLength);
  return Buffer.concat([head, frames]);
}

function synchsafe(file: Buffer, at: number): number {
  return [0, 1, 2, 3].reduce((value, index) => value * 128 + (file[at + index]! & 0x7f), 0);
}

function writeSynchsafe(file: Buffer, at: number, value: number): void {
  for (let index = 0; index < 4; index += 1) file[at + index] = (value >> (7 * (3 - index))) & 0x7f;
}
