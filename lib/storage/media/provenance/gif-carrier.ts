import { bufferOf, type Carrier, isManifestStore, MAX_BLOCKS, splice } from './carrier.ts';

/** Sub-blocks walked at most: one holds 255 bytes. */
const MAX_SUB_BLOCKS = 500_000;
const XMP_ID = 'XMP DataXMP';
const MANIFEST_ID = 'C2PA_GIF\x01\x00\x00';
/** What makes every reader of sub-blocks land on an end, wherever the packet sends it: 1, 255 down to 0, and 0. */
const TRAILER = Buffer.from([0x01, ...Array.from({ length: 256 }, (_, index) => 255 - index), 0x00]);

type Extension = { start: number; data: number; end: number };

/**
 * A GIF: a manifest and XMP each in an application extension (XMP specification, part 3). XMP goes before the closing byte, where it moves
 * no frame. Null when its blocks do not lead to that byte, and for 87a, which has no extensions.
 */
export function gifCarrier(bytes: Uint8Array): Carrier | null {
  const file = bufferOf(bytes);
  if (file.length < 14 || file.toString('latin1', 0, 6) !== 'GIF89a') return null;
  let manifest = false;
  let xmp: Extension | null = null;
  let budget = MAX_SUB_BLOCKS;
  /** Where the sub-blocks from `at` end; -1 when they do not. */
  const skip = (at: number): number => {
    let next = at;
    while (next < file.length && file[next] !== 0) {
      next += file[next]! + 1;
      budget -= 1;
      if (budget < 0) return -1;
    }
    return next < file.length ? next + 1 : -1;
  };
  let at = 13 + tableBytes(file[10]!);
  for (let blocks = 0; at >= 0 && file[at] !== 0x3b; blocks += 1) {
    if (blocks > MAX_BLOCKS || at >= file.length) return null;
    if (file[at] === 0x2c) {
      if (at + 11 > file.length) return null;
      at = skip(at + 11 + tableBytes(file[at + 9]!));
      continue;
    }
    if (file[at] !== 0x21) return null;
    const start = at;
    at = skip(at + 2);
    if (file[start + 1] !== 0xff || file[start + 2] !== 11) continue;
    const id = file.toString('latin1', start + 3, start + 14);
    const data = start + 14;
    if (id === XMP_ID) xmp ??= { start, data, end: at };
    if (id === MANIFEST_ID && at > data && isManifestStore(joined(file, data), 0)) manifest = true;
  }
  if (at < 0 || (xmp && !endsWithTrailer(file, xmp))) return null;
  const end = at;
  return {
    manifest,
    xmp: xmp ? file.subarray(xmp.data, xmp.end - TRAILER.length) : null,
    withXmp(text) {
      const body = Buffer.concat([Buffer.from(`\x21\xff\x0b${XMP_ID}`, 'latin1'), text, TRAILER]);
      // A byte of zero would end the packet where it stands.
      return bufferOf(text).includes(0) ? null : splice(bytes, xmp ?? { start: end, end }, body);
    },
  };
}

/** A colour table's bytes, by the byte that announces it. */
const tableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

function endsWithTrailer(file: Buffer, { data, end }: Extension): boolean {
  return end - TRAILER.length >= data && file.subarray(end - TRAILER.length, end).equals(TRAILER);
}

/** The first sub-blocks as one: enough for the head of a manifest store. */
function joined(file: Buffer, from: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = from; parts.length < 4 && at < file.length && file[at] !== 0; at += file[at]! + 1)
    parts.push(file.subarray(at + 1, at + 1 + file[at]!));
  return Buffer.concat(parts);
}
