import { crc32, inflateRawSync } from 'node:zlib';
import type { Parsed } from './types.ts';

export type ZipLimits = {
  maxEntries: number;
  /** Of one entry, inflated. */
  maxEntryBytes: number;
  /** Of all entries together, inflated. */
  maxTotalBytes: number;
};

const DEFAULT_ZIP_LIMITS: ZipLimits = {
  maxEntries: 10_000,
  maxEntryBytes: 16 * 1024 * 1024,
  maxTotalBytes: 128 * 1024 * 1024,
};

export type ZipEntry = { path: string; bytes: Uint8Array };

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const END_LENGTH = 22;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;

class Refused extends Error {}

/**
 * The files of a zip archive, from its central directory. Refuses, in French, before inflating when the declared sizes or the number of entries pass the
 * limits, while inflating when an entry gives more than it declared, and any name that is absolute or climbs (`..`), encryption, zip64, a wrong checksum,
 * overlapping entries and names given twice.
 */
export function readZip(
  bytes: Uint8Array,
  limits: ZipLimits = DEFAULT_ZIP_LIMITS,
): Parsed<{ entries: ZipEntry[] }> {
  try {
    return { ok: true, entries: readEntries(bytes, limits) };
  } catch (error) {
    if (error instanceof Refused) return { ok: false, reason: error.message };
    return { ok: false, reason: 'Cette archive zip est abîmée.' };
  }
}

type Header = {
  path: string;
  method: number;
  crc: number;
  packedBytes: number;
  bytes: number;
  offset: number;
};

function readEntries(bytes: Uint8Array, limits: ZipLimits): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headers = readDirectory(view, bytes, limits).filter(({ path }) => !path.endsWith('/'));
  if (new Set(headers.map(({ path }) => path)).size < headers.length) {
    throw new Refused('Cette archive contient deux fois le même nom de fichier.');
  }
  if (headers.some((header) => header.bytes > limits.maxEntryBytes)) throw tooLarge();
  if (headers.reduce((sum, header) => sum + header.bytes, 0) > limits.maxTotalBytes) throw tooLarge();
  // Entries that share their packed bytes are how a small archive declares a huge content.
  let free = 0;
  for (const header of [...headers].sort((a, b) => a.offset - b.offset)) {
    if (header.offset < free) throw new Refused('Cette archive zip est abîmée : ses fichiers se recouvrent.');
    free = header.offset + header.packedBytes;
  }
  return headers.map((header) => ({ path: header.path, bytes: inflate(view, bytes, header) }));
}

function readDirectory(view: DataView, bytes: Uint8Array, limits: ZipLimits): Header[] {
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  if (count === 0xffff || at === 0xffffffff) throw new Refused('Les archives zip64 ne sont pas acceptées.');
  if (count > limits.maxEntries)
    throw new Refused(`Cette archive contient plus de ${limits.maxEntries} fichiers.`);
  const headers: Header[] = [];
  for (let i = 0; i < count; i++) {
    if (view.getUint32(at, true) !== CENTRAL) throw new Error('central directory');
    const flags = view.getUint16(at + 8, true);
    const nameLength = view.getUint16(at + 28, true);
    const name = bytes.subarray(at + 46, at + 46 + nameLength);
    if (flags & ENCRYPTED) throw new Refused('Cette archive est protégée par un mot de passe.');
    headers.push({
      path: safePath(decodeName(name)),
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      packedBytes: view.getUint32(at + 20, true),
      bytes: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    });
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return headers;
}

/** The end record lies before a comment of at most 65,535 bytes. */
function findEnd(view: DataView): number {
  const lowest = Math.max(0, view.byteLength - END_LENGTH - 0xffff);
  for (let at = view.byteLength - END_LENGTH; at >= lowest; at--) {
    if (view.getUint32(at, true) === END) return at;
  }
  throw new Refused('Ce fichier n’est pas une archive zip.');
}

function inflate(view: DataView, bytes: Uint8Array, header: Header): Uint8Array {
  if (view.getUint32(header.offset, true) !== LOCAL) throw new Error('local header');
  const start =
    header.offset + 30 + view.getUint16(header.offset + 26, true) + view.getUint16(header.offset + 28, true);
  const packed = bytes.subarray(start, start + header.packedBytes);
  if (packed.length < header.packedBytes) throw new Error('truncated');
  const content = unpack(packed, header);
  if (content.length !== header.bytes || crc32(content) !== header.crc) {
    throw new Refused(`Le fichier « ${header.path} » de cette archive est abîmé.`);
  }
  return content;
}

function unpack(packed: Uint8Array, { method, bytes, path }: Header): Uint8Array {
  if (method === STORED) return packed.slice();
  if (method !== DEFLATED) throw new Refused(`La compression du fichier « ${path} » n’est pas acceptée.`);
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, bytes) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    throw error;
  }
}

function decodeName(name: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(name);
  } catch {
    return new TextDecoder('latin1').decode(name);
  }
}

/** A relative path with `/`; refuses whatever could leave the archive's own folder. */
function safePath(name: string): string {
  const path = name.replaceAll('\\', '/');
  const climbs = path.split('/').includes('..');
  if (climbs || path.startsWith('/') || /^[a-z]:/i.test(path) || path.includes('\0') || path === '') {
    throw new Refused(`Cette archive contient un nom de fichier dangereux : « ${name.slice(0, 80)} ».`);
  }
  return path;
}

function tooLarge(): Refused {
  return new Refused('Le contenu de cette archive dépasse la taille acceptée.');
}
