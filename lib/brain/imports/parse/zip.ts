import { isUtf8 } from 'node:buffer';
import { crc32, inflateRawSync } from 'node:zlib';
import { type Entry, fromBufferPromise, getFileNameLowLevel, validateFileName, type ZipFile } from 'yauzl';
import { inCodePage850 } from './text.ts';
import type { Parsed } from './types.ts';

export type ZipLimits = {
  maxEntries: number;
  /** Of one entry, inflated. */
  maxEntryBytes: number;
  /** Of all entries together, inflated. */
  maxTotalBytes: number;
  /** What is said, in French, of entries that together pass it. */
  tooMuch?: string;
  /** Whether several entries may have one name, each given in its place; otherwise they are refused. */
  takesNamesakes?: boolean;
};

/** Whether an entry is read, by its path and the bytes that it declares, inflated. */
type Wanted = (path: string, bytes: number) => boolean;

export type ZipEntry = { path: string; bytes: Uint8Array };

const STORED = 0;
const DEFLATED = 8;
const UTF8_FLAG = 0x800;
const UNICODE_PATH = 0x7075;
/** The record that ends an archive (APPNOTE 4.3.16): its signature, and its bytes before the comment whose length closes it. */
const END_RECORD = Buffer.from('PK\x05\x06', 'latin1');
const END_RECORD_BYTES = 22;

class Refused extends Error {}

/**
 * The files of a zip archive (zip64, old names in code page 850 and data descriptors included). Refuses, in French, before inflating when the
 * declared sizes or the number of entries pass the limits, while inflating when an entry gives more than it declared, and any name that is
 * absolute or climbs (`..`), encryption, a wrong checksum, overlapping entries and, but with `takesNamesakes`, names given twice. With
 * `wanted`, the others are neither inflated nor weighed.
 */
export async function readZip(
  bytes: Uint8Array,
  limits: ZipLimits,
  wanted: Wanted = () => true,
): Promise<Parsed<{ entries: ZipEntry[] }>> {
  try {
    const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return { ok: true, entries: await readEntries(archive, limits, wanted) };
  } catch (error) {
    if (error instanceof Refused) return { ok: false, reason: error.message };
    const isArchive = !(error instanceof Error && /central dir/i.test(error.message));
    return {
      ok: false,
      reason: isArchive ? 'Cette archive zip est abîmée.' : 'Ce fichier n’est pas une archive zip.',
    };
  }
}

/** An entry, its path, and where its packed bytes lie in the archive. */
type Place = { entry: Entry; path: string; start: number };

async function readEntries(archive: Buffer, limits: ZipLimits, wanted: Wanted): Promise<ZipEntry[]> {
  const zip = await openArchive(archive);
  if (zip.entryCount > limits.maxEntries)
    throw new Refused(
      `Cette archive contient plus de ${limits.maxEntries.toLocaleString('fr-FR')} fichiers.`,
    );
  const places = await readDirectory(zip);
  if (!limits.takesNamesakes && new Set(places.map(({ path }) => path)).size < places.length)
    throw new Refused('Cette archive contient deux fois le même nom de fichier.');
  const read = places.filter(({ entry, path }) => wanted(path, entry.uncompressedSize));
  if (read.some(({ entry }) => entry.uncompressedSize > limits.maxEntryBytes)) throw tooLarge();
  const total = read.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0);
  if (total > limits.maxTotalBytes) throw limits.tooMuch ? new Refused(limits.tooMuch) : tooLarge();
  // Entries that share their packed bytes are how a small archive declares a huge content.
  let free = 0;
  for (const { entry, start } of [...places].sort((a, b) => a.start - b.start)) {
    if (entry.relativeOffsetOfLocalHeader < free || start + entry.compressedSize > archive.length)
      throw new Refused('Cette archive zip est abîmée\u00a0: ses fichiers se recouvrent.');
    free = start + entry.compressedSize;
  }
  return read.map((place) => ({ path: place.path, bytes: inflate(archive, place) }));
}

/** Bytes after the end of an archive, such as a line break or what a mail gateway fills up with, are not read. */
async function openArchive(archive: Buffer): Promise<ZipFile> {
  const open = (bytes: Buffer) => fromBufferPromise(bytes, { decodeStrings: false });
  try {
    return await open(archive);
  } catch (error) {
    const record = archive.lastIndexOf(END_RECORD);
    if (record < 0 || record + END_RECORD_BYTES > archive.length) throw error;
    const end = record + END_RECORD_BYTES + archive.readUInt16LE(record + END_RECORD_BYTES - 2);
    if (end >= archive.length) throw error;
    return open(archive.subarray(0, end));
  }
}

async function readDirectory(zip: ZipFile): Promise<Place[]> {
  const places: Place[] = [];
  for await (const entry of zip.eachEntry()) {
    const path = safePath(nameOf(entry));
    if (path.endsWith('/')) continue;
    if (entry.isEncrypted()) throw new Refused('Cette archive est protégée par un mot de passe.');
    const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
    places.push({ entry, path, start: fileDataStart });
  }
  return places;
}

function inflate(archive: Buffer, { entry, path, start }: Place): Uint8Array {
  const packed = archive.subarray(start, start + entry.compressedSize);
  const content = unpack(packed, entry, path);
  if (content.length !== entry.uncompressedSize || crc32(content) !== entry.crc32)
    throw new Refused(`Le fichier «\u00a0${path}\u00a0» de cette archive est abîmé.`);
  return content;
}

function unpack(packed: Buffer, { compressionMethod, uncompressedSize }: Entry, path: string): Uint8Array {
  if (compressionMethod === STORED) return Uint8Array.from(packed);
  if (compressionMethod !== DEFLATED)
    throw new Refused(`La compression du fichier «\u00a0${path}\u00a0» n’est pas acceptée.`);
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, uncompressedSize) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    throw error;
  }
}

/** Tools that write UTF-8 do not all say so; what is none was written by an older Windows. */
function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  const isDeclared =
    (generalPurposeBitFlag & UTF8_FLAG) !== 0 || extraFields.some(({ id }) => id === UNICODE_PATH);
  if (!isDeclared)
    return isUtf8(fileNameRaw) ? Buffer.from(fileNameRaw).toString() : inCodePage850(fileNameRaw);
  return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
}

/** « Q:R.md » is how a Mac stores « Q/R.md »: without a slash after it, a letter and a colon name no drive. */
const LETTER_AND_COLON = /^[a-z]:(?=[^/])/i;

/** A relative path with `/`; refuses whatever could leave the archive's own folder. */
function safePath(name: string): string {
  const path = name.replaceAll('\\', '/');
  if (path === '' || path.includes('\0') || validateFileName(path.replace(LETTER_AND_COLON, '')) !== null)
    throw new Refused(
      `Cette archive contient un nom de fichier dangereux\u00a0: «\u00a0${path.slice(0, 80)}\u00a0».`,
    );
  return path;
}

function tooLarge(): Refused {
  return new Refused('Le contenu de cette archive dépasse la taille acceptée.');
}
