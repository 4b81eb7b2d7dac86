import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';
import type { ExportedFile } from './types.ts';

const deflate = promisify(deflateRaw);

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const VERSION = 20;
/** Names are UTF-8. */
const UTF8 = 0x800;
const DEFLATED = 8;
/** 1 January 2000 at midnight, as MS-DOS writes it: the same files give the same bytes. */
const DATE = ((2000 - 1980) << 9) | (1 << 5) | 1;

type Written = { name: Buffer; crc: number; packed: number; size: number; at: number };

/**
 * A zip archive of these files (at most 65,535, 4 GB in all), in pieces: each file is made, packed in another thread and handed over before
 * the next one, so that neither the loop nor the memory holds the archive.
 */
export async function* zipPieces(files: Iterable<ExportedFile>): AsyncGenerator<Uint8Array> {
  const written: Written[] = [];
  let at = 0;
  for (const { path, bytes } of files) {
    const name = Buffer.from(path);
    const content = await deflate(bytes);
    const file = { name, crc: crc32(bytes), packed: content.length, size: bytes.length, at };
    written.push(file);
    const head = Buffer.alloc(30);
    head.writeUInt32LE(LOCAL, 0);
    writeFacts(head, 4, file);
    yield Buffer.concat([head, name, content]);
    at += head.length + name.length + content.length;
  }
  const start = at;
  for (const file of written) {
    const head = Buffer.alloc(46);
    head.writeUInt32LE(CENTRAL, 0);
    head.writeUInt16LE(VERSION, 4);
    writeFacts(head, 6, file);
    head.writeUInt32LE(file.at, 42);
    yield Buffer.concat([head, file.name]);
    at += head.length + file.name.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(written.length, 8);
  end.writeUInt16LE(written.length, 10);
  end.writeUInt32LE(at - start, 12);
  end.writeUInt32LE(start, 16);
  yield end;
}

/** What both headers of a file say of it. */
function writeFacts(head: Buffer, from: number, { name, crc, packed, size }: Written): void {
  head.writeUInt16LE(VERSION, from);
  head.writeUInt16LE(UTF8, from + 2);
  head.writeUInt16LE(DEFLATED, from + 4);
  head.writeUInt16LE(DATE, from + 8);
  head.writeUInt32LE(crc, from + 10);
  head.writeUInt32LE(packed, from + 14);
  head.writeUInt32LE(size, from + 18);
  head.writeUInt16LE(name.length, from + 22);
}
