import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';

const deflate = promisify(deflateRaw);

const STORED = 0;
const DEFLATED = 8;
/** Names are UTF-8; sizes and sum follow the bytes. */
const UTF8 = 0x0800;
const SIZES_FOLLOW = 0x0008;
const MAX_UINT32 = 0xffff_ffff;
const MAX_UINT16 = 0xffff;
/** What the file may be once unpacked: private to whoever unpacked it, or as files of that machine usually are. */
const PRIVATE = 0o100600;
const ORDINARY = 0o100644;
/** The same files give the same bytes: their zip tells no other time. */
const FIXED_TIME = new Date('2000-01-01T00:00:00Z');

type Entry = {
  name: Buffer;
  flags: number;
  method: number;
  crc: number;
  packed: number;
  size: number;
  offset: number;
  at: Date;
  mode: number;
};

/** Local header, 30 bytes and the name. */
function localHeader(entry: Entry): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x0403_4b50, 0);
  header.writeUInt16LE(45, 4);
  header.writeUInt16LE(entry.flags, 6);
  header.writeUInt16LE(entry.method, 8);
  header.writeUInt32LE(dosTime(entry.at), 10);
  header.writeUInt32LE(entry.crc, 14);
  header.writeUInt32LE(entry.packed, 18);
  header.writeUInt32LE(entry.size, 22);
  header.writeUInt16LE(entry.name.length, 26);
  return Buffer.concat([header, entry.name]);
}

/** The directory's record of an entry; what does not fit 32 bits stands in its extra field. */
function directoryRecord(entry: Entry): Buffer {
  const wide = [entry.size, entry.packed, entry.offset].map((value) => value >= MAX_UINT32);
  const extra = Buffer.alloc(wide.some(Boolean) ? 4 + 8 * wide.filter(Boolean).length : 0);
  if (extra.length > 0) {
    extra.writeUInt16LE(0x0001, 0);
    extra.writeUInt16LE(extra.length - 4, 2);
    let place = 4;
    for (const value of [entry.size, entry.packed, entry.offset])
      if (value >= MAX_UINT32) place = extra.writeBigUInt64LE(BigInt(value), place);
  }
  const record = Buffer.alloc(46);
  record.writeUInt32LE(0x0201_4b50, 0);
  record.writeUInt16LE((3 << 8) | 45, 4);
  record.writeUInt16LE(45, 6);
  record.writeUInt16LE(entry.flags, 8);
  record.writeUInt16LE(entry.method, 10);
  record.writeUInt32LE(dosTime(entry.at), 12);
  record.writeUInt32LE(entry.crc, 16);
  record.writeUInt32LE(Math.min(entry.packed, MAX_UINT32), 20);
  record.writeUInt32LE(Math.min(entry.size, MAX_UINT32), 24);
  record.writeUInt16LE(entry.name.length, 28);
  record.writeUInt16LE(extra.length, 30);
  record.writeUInt32LE((entry.mode << 16) >>> 0, 38);
  record.writeUInt32LE(Math.min(entry.offset, MAX_UINT32), 42);
  return Buffer.concat([record, entry.name, extra]);
}

function dosTime(at: Date): number {
  const date =
    ((Math.max(at.getUTCFullYear(), 1980) - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  return ((date << 16) | time) >>> 0;
}

/** Where bytes of a zip go, in order. */
export type ZipSink = { bytes: number; write(chunk: Uint8Array): Promise<void> };

/** Compresses an entry that is held in memory, in another thread; the caller sets its offset. */
async function packEntry(
  name: string,
  plain: Uint8Array,
  facts: Pick<Entry, 'at' | 'mode'>,
): Promise<{ entry: Omit<Entry, 'offset'>; packed: Buffer }> {
  const packed = await deflate(plain);
  const entry = {
    name: Buffer.from(name, 'utf8'),
    flags: UTF8,
    method: DEFLATED,
    ...facts,
    crc: crc32(plain),
    packed: packed.length,
    size: plain.length,
  };
  return { entry, packed };
}

/** Writes a text as an entry; returns its directory record. */
export async function writeText(sink: ZipSink, name: string, text: string, at: Date): Promise<Buffer> {
  const made = await packEntry(name, Buffer.from(text, 'utf8'), { at, mode: PRIVATE });
  const entry: Entry = { ...made.entry, offset: sink.bytes };
  await sink.write(localHeader(entry));
  await sink.write(made.packed);
  return directoryRecord(entry);
}

/** Writes a file as an entry, as it comes: never held whole. Returns its directory record. */
export async function writeStream(
  sink: ZipSink,
  name: string,
  source: AsyncIterable<Uint8Array>,
  at: Date,
): Promise<Buffer> {
  const entry: Entry = {
    name: Buffer.from(name, 'utf8'),
    flags: UTF8 | SIZES_FOLLOW,
    method: STORED,
    at,
    mode: PRIVATE,
    offset: sink.bytes,
    crc: 0,
    packed: 0,
    size: 0,
  };
  await sink.write(localHeader(entry));
  for await (const chunk of source) {
    entry.crc = crc32(chunk, entry.crc);
    entry.size += chunk.byteLength;
    await sink.write(chunk);
  }
  entry.packed = entry.size;
  const descriptor = Buffer.alloc(16);
  descriptor.writeUInt32LE(0x0807_4b50, 0);
  descriptor.writeUInt32LE(entry.crc, 4);
  descriptor.writeUInt32LE(Math.min(entry.size, MAX_UINT32), 8);
  descriptor.writeUInt32LE(Math.min(entry.size, MAX_UINT32), 12);
  await sink.write(descriptor);
  return directoryRecord(entry);
}

/** What ends a zip, after its directory of `bytes` bytes that begins at `offset`. */
export function endOfZip(directory: { entries: number; bytes: number; offset: number }): Buffer {
  const { entries, bytes, offset } = directory;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x0605_4b50, 0);
  end.writeUInt16LE(Math.min(entries, MAX_UINT16), 8);
  end.writeUInt16LE(Math.min(entries, MAX_UINT16), 10);
  end.writeUInt32LE(Math.min(bytes, MAX_UINT32), 12);
  end.writeUInt32LE(Math.min(offset, MAX_UINT32), 16);
  if (entries < MAX_UINT16 && bytes < MAX_UINT32 && offset < MAX_UINT32) return end;
  const wide = Buffer.alloc(76);
  wide.writeUInt32LE(0x0606_4b50, 0);
  wide.writeBigUInt64LE(44n, 4);
  wide.writeUInt16LE((3 << 8) | 45, 12);
  wide.writeUInt16LE(45, 14);
  wide.writeBigUInt64LE(BigInt(entries), 24);
  wide.writeBigUInt64LE(BigInt(entries), 32);
  wide.writeBigUInt64LE(BigInt(bytes), 40);
  wide.writeBigUInt64LE(BigInt(offset), 48);
  wide.writeUInt32LE(0x0706_4b50, 56);
  wide.writeBigUInt64LE(BigInt(offset + bytes), 64);
  wide.writeUInt32LE(1, 72);
  return Buffer.concat([wide, end]);
}

/**
 * A zip archive of these files, in pieces: each file is made, packed in another thread and handed over before the next one, so that neither
 * the loop nor the memory holds the archive. The same files give the same bytes.
 */
export async function* zipPieces(
  files: AsyncIterable<{ path: string; bytes: Uint8Array }>,
): AsyncGenerator<Uint8Array> {
  const records: Buffer[] = [];
  let at = 0;
  for await (const { path, bytes } of files) {
    const made = await packEntry(path, bytes, { at: FIXED_TIME, mode: ORDINARY });
    const entry: Entry = { ...made.entry, offset: at };
    const piece = Buffer.concat([localHeader(entry), made.packed]);
    records.push(directoryRecord(entry));
    yield piece;
    at += piece.length;
  }
  const offset = at;
  for (const record of records) {
    yield record;
    at += record.length;
  }
  yield endOfZip({ entries: records.length, bytes: at - offset, offset });
}
