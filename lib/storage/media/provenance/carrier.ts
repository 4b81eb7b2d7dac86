/** What the marking needs of a file's format. Ranges are of bytes, the end not included. */
export type Carrier = {
  /** A C2PA manifest store lies in the file. */
  manifest: boolean;
  /** The XMP packet that the file has, when it can be read in place. */
  xmp: Uint8Array | null;
  /** The same file with this packet, in place of the one it has; null when it has no room for one. No sample is touched. */
  withXmp(packet: Uint8Array): Uint8Array | null;
};

/** Blocks walked at most: a file made of millions of empty ones is read no further, and is left as it is. */
export const MAX_BLOCKS = 20_000;

/** `63327061-0011-0010-8000-00AA00389B71`: the type of a JUMBF box that is a C2PA manifest store. */
const STORE_TYPE = Buffer.from('6332706100110010800000aa00389b71', 'hex');

/** True when a JUMBF superbox whose type is a C2PA manifest store begins at `at`. */
export function isManifestStore(bytes: Uint8Array, at: number): boolean {
  const box = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (at + 40 > box.length || box.toString('latin1', at + 4, at + 8) !== 'jumb') return false;
  // A length of 1 says that the real one follows, in eight bytes.
  const first = at + (box.readUInt32BE(at) === 1 ? 16 : 8);
  if (first + 24 > box.length || box.toString('latin1', first + 4, first + 8) !== 'jumd') return false;
  return box.subarray(first + 8, first + 24).equals(STORE_TYPE);
}

/** The bytes without those from `start` to `end`, and with `inserted` there. */
export function splice(
  bytes: Uint8Array,
  { start, end }: { start: number; end: number },
  inserted: Uint8Array,
): Uint8Array {
  const out = new Uint8Array(bytes.byteLength - (end - start) + inserted.byteLength);
  out.set(bytes.subarray(0, start));
  out.set(inserted, start);
  out.set(bytes.subarray(end), start + inserted.byteLength);
  return out;
}

/** The bytes as a Buffer on the same memory. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
