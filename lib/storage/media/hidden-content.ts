const HEAD_BYTES = 1024;
const ZIP_END_BYTES = 22;
const ZIP_TAIL_BYTES = ZIP_END_BYTES + 65_535;
// Read from the head by software that looks past what comes first. Nothing reads XML or SVG that does not begin its file: there it is
// the metadata of an honest picture, film or recording.
const DOCUMENT_MARKS = ['%pdf-', '<!doctype html', '<html', '<script', '<?php'];
const PAYLOAD_MARKS = [
  ...DOCUMENT_MARKS,
  '<svg',
  '<?xml',
  'PK\u0003\u0004',
  'Rar!\u001a',
  '7z\u00bc\u00af\u0027\u001c',
  '\u007fELF',
];

const latin1 = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

/** The small letter of a capital of ASCII; any other byte as it is. */
const small = (byte: number) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte);

/** Its capitals are meant, where it has some; else those of the file count for nothing. */
type Mark = { bytes: Uint8Array; isExact: boolean };

const MARKS = PAYLOAD_MARKS.map((text): Mark => {
  return { bytes: Buffer.from(text, 'latin1'), isExact: /[A-Z]/.test(text) };
});
function startOf(bytes: Uint8Array): number {
  return small(bytes[0]!) * 256 + small(bytes[1]!);
}

// Indexed by their first two bytes: repetitive megabytes are scanned once, not once for each mark.
const begins = new Uint8Array(65_536);
const marksOf = new Array<Mark[]>(begins.length);
for (const mark of MARKS) {
  const key = startOf(mark.bytes);
  begins[key] = 1;
  marksOf[key] = [...(marksOf[key] ?? []), mark];
}

function standsAt(file: Uint8Array, at: number, { bytes, isExact }: Mark): boolean {
  if (at + bytes.length > file.length) return false;
  // Compared from the end: bytes that repeat the beginning of a mark differ there.
  for (let index = bytes.length - 1; index >= 0; index -= 1) {
    const byte = file[at + index]!;
    if ((isExact ? byte : small(byte)) !== bytes[index]) return false;
  }
  return true;
}

function holdsPayload(file: Uint8Array, from: number): boolean {
  let before = small(file[from] ?? 0);
  for (let at = from; at + 1 < file.length; at += 1) {
    const next = small(file[at + 1]!);
    const key = before * 256 + next;
    before = next;
    if (begins[key] === 0) continue;
    const marks = marksOf[key]!;
    for (let index = 0; index < marks.length; index += 1) if (standsAt(file, at, marks[index]!)) return true;
  }
  return false;
}

/**
 * True when other software would open the same bytes as another document: a page, a PDF or a program read from its head, an
 * archive read from its tail. `end`, when known, is where the media itself stops.
 */
export function hasHiddenContent(bytes: Uint8Array, end = bytes.byteLength): boolean {
  const head = latin1(bytes.subarray(0, HEAD_BYTES)).toLowerCase();
  if (DOCUMENT_MARKS.some((mark) => head.includes(mark))) return true;
  return holdsPayload(bytes, end) || endsAsZip(bytes);
}

/** A zip is recognised by its last record, whose comment must reach exactly the end of the file. */
function endsAsZip(bytes: Uint8Array): boolean {
  const from = Math.max(0, bytes.byteLength - ZIP_TAIL_BYTES);
  for (let at = bytes.byteLength - ZIP_END_BYTES; at >= from; at -= 1) {
    const isRecord =
      bytes[at] === 0x50 && bytes[at + 1] === 0x4b && bytes[at + 2] === 0x05 && bytes[at + 3] === 0x06;
    if (isRecord && bytes[at + 20]! + bytes[at + 21]! * 256 === bytes.byteLength - at - ZIP_END_BYTES)
      return true;
  }
  return false;
}
