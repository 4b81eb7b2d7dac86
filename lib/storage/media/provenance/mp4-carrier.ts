import { bufferOf, type Carrier, isManifestStore, MAX_BLOCKS, splice } from './carrier.ts';

const MANIFEST_ID = Buffer.from('d8fec3d61b0e483c92975828877ec481', 'hex');
const XMP_ID = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex');

/**
 * An MP4: a manifest and XMP each in a top-level `uuid` box. XMP goes to the very end, where it moves no sample. Null when its boxes do
 * not lead to its end.
 */
export function mp4Carrier(bytes: Uint8Array): Carrier | null {
  const file = bufferOf(bytes);
  let manifest = false;
  let packet: { start: number; end: number; text: Uint8Array } | null = null;
  let open = false;
  let indexed = false;
  for (let at = 0, blocks = 0; at < file.length; blocks += 1) {
    if (blocks > MAX_BLOCKS || at + 8 > file.length) return null;
    const type = file.toString('latin1', at + 4, at + 8);
    const short = file.readUInt32BE(at);
    if (short === 1 && at + 16 > file.length) return null;
    const size = short === 1 ? Number(file.readBigUInt64BE(at + 8)) : short === 0 ? file.length - at : short;
    const end = at + size;
    const data = at + (short === 1 ? 16 : 8);
    if (size < 8 || end < data || end > file.length) return null;
    if (at === 0 && type !== 'ftyp') return null;
    // A last box without a length takes all that follows; a fragments’ index is found from the file's end.
    open ||= short === 0;
    indexed ||= type === 'mfra';
    if (type === 'uuid') {
      const id = file.subarray(data, data + 16);
      if (id.equals(MANIFEST_ID) && holdsManifest(file.subarray(data + 16, end))) manifest = true;
      if (id.equals(XMP_ID)) packet ??= { start: at, end, text: file.subarray(data + 16, end) };
    }
    at = end;
  }
  return {
    manifest,
    xmp: packet?.text ?? null,
    withXmp(text) {
      const last = packet === null || packet.end === file.length;
      if (open || indexed || !last) return null;
      const head = Buffer.alloc(8);
      head.writeUInt32BE(24 + text.byteLength);
      head.write('uuid', 4, 'latin1');
      const end = { start: packet?.start ?? file.length, end: file.length };
      return splice(bytes, end, Buffer.concat([head, XMP_ID, text]));
    },
  };
}

/** Version and flags, what the box is for, an offset of eight bytes, then the store. */
function holdsManifest(body: Buffer): boolean {
  const zero = body.indexOf(0, 4);
  if (zero < 0 || zero > 4 + 16) return false;
  const purpose = body.toString('latin1', 4, zero);
  return ['manifest', 'original', 'update'].includes(purpose) && isManifestStore(body, zero + 9);
}
