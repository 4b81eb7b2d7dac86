import type { PillarRole } from '../../templates.ts';
import { termText } from '../matching/fold.ts';
import { type Pace, sortInSlices } from '../matching/pace.ts';
import { isDateForm } from '../matching/query.ts';
import { type AnalysedMemory, type Places, TERMS_VERSION } from '../matching/terms.ts';

/**
 * How a segment is written: a header (its Memories, and the first term of each page), pages of postings in the order of their terms, and the list of its
 * terms. All three are immutable.
 *
 * A page is a row of entries: length of the term, the term (UTF-8), length of the postings, the postings. A posting is a Memory's number
 * less the one before; twice its places in the body, plus one when there are places in the title; then their count; then each place less the
 * one before, those of the title first. Every number is a varint.
 */

/** A Memory ready to be written in a segment. */
export type SegmentMemory = {
  memoryId: string;
  stamp: string;
  spaceId: string;
  role: PillarRole;
  updatedAt: Date;
  analysed: AnalysedMemory;
};

/** What is kept of one segment, beside its pages. */
export type SegmentHeader = {
  count: number;
  ids: readonly string[];
  /** Under which each is what the segment says. */
  stamps: readonly string[];
  /** Milliseconds. */
  updatedAt: Float64Array;
  titleLength: Uint16Array;
  bodyLength: Uint16Array;
  /** Index into `spaces`. */
  space: Uint16Array;
  spaces: readonly string[];
  /** Index into ROLES. */
  role: Uint8Array;
  /** First term of each page. */
  pageStarts: readonly string[];
  /** The TERMS_VERSION under which it was written. */
  termsVersion: number;
};

export const ROLES: readonly PillarRole[] = ['IDENTITY', 'GUIDELINES', 'KNOWLEDGE', 'ITEMS', 'PEOPLE'];

type EncodedSegment = { header: Buffer; pages: Buffer[]; dictionary: Buffer };

/** Bytes after which a page is closed: one read of PostgreSQL. */
const PAGE_BYTES = 8_000;
const LINE_FEED = Buffer.from('\n');

class Bytes {
  #buffer = Buffer.allocUnsafe(16_384);
  length = 0;

  #room(more: number): void {
    if (this.length + more <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.length + more));
    this.#buffer.copy(larger, 0, 0, this.length);
    this.#buffer = larger;
  }

  varint(value: number): void {
    this.#room(5);
    let rest = value;
    while (rest > 127) {
      this.#buffer[this.length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.#buffer[this.length++] = rest;
  }

  bytes(source: Buffer): void {
    this.#room(source.length);
    source.copy(this.#buffer, this.length);
    this.length += source.length;
  }

  /** What was written, and begins anew. */
  take(): Buffer {
    const taken = Buffer.from(this.#buffer.subarray(0, this.length));
    this.length = 0;
    return taken;
  }
}

/** Writes a segment of these Memories, numbered in their order. */
export async function encodeSegment(memories: readonly SegmentMemory[], pace: Pace): Promise<EncodedSegment> {
  const postings = new Map<string, number[]>();
  for (const [number, { analysed }] of memories.entries()) {
    for (const [term, places] of analysed.terms) {
      let flat = postings.get(term);
      if (flat === undefined) {
        flat = [];
        postings.set(term, flat);
      }
      flat.push(number, places.title.length, places.body.length);
      for (const place of places.title) flat.push(place);
      for (const place of places.body) flat.push(place);
    }
    if (pace.due()) await pace.rest();
  }
  const terms = await sortInSlices([...postings.keys()], pace);
  const pages: Buffer[] = [];
  const pageStarts: string[] = [];
  const page = new Bytes();
  const entry = new Bytes();
  const dictionary = new Bytes();
  for (const term of terms) {
    if (page.length === 0) pageStarts.push(term);
    writePostings(entry, postings.get(term) as number[]);
    const data = entry.take();
    const name = Buffer.from(term);
    page.varint(name.length);
    page.bytes(name);
    page.varint(data.length);
    page.bytes(data);
    if (!isDateForm(term)) {
      if (dictionary.length > 0) dictionary.bytes(LINE_FEED);
      dictionary.bytes(name);
    }
    if (page.length >= PAGE_BYTES) pages.push(page.take());
    if (pace.due()) await pace.rest();
  }
  if (page.length > 0) pages.push(page.take());
  return {
    header: encodeHeader(memories, pageStarts),
    pages,
    dictionary: dictionary.take(),
  };
}

function writePostings(to: Bytes, flat: readonly number[]): void {
  let former = 0;
  for (let i = 0; i < flat.length; ) {
    const number = flat[i++] as number;
    const inTitle = flat[i++] as number;
    const inBody = flat[i++] as number;
    to.varint(number - former);
    former = number;
    to.varint(inBody * 2 + (inTitle > 0 ? 1 : 0));
    if (inTitle > 0) to.varint(inTitle);
    for (const count of [inTitle, inBody]) {
      let place = 0;
      for (let k = 0; k < count; k++) {
        const own = flat[i++] as number;
        to.varint(own - place);
        place = own;
      }
    }
  }
}

function encodeHeader(memories: readonly SegmentMemory[], pageStarts: readonly string[]): Buffer {
  const spaces = [...new Set(memories.map(({ spaceId }) => spaceId))];
  const spaceNumber = new Map(spaces.map((id, index) => [id, index]));
  const count = memories.length;
  const numbers = new ArrayBuffer(count * 15);
  const updatedAt = new Float64Array(numbers, 0, count);
  const titleLength = new Uint16Array(numbers, count * 8, count);
  const bodyLength = new Uint16Array(numbers, count * 10, count);
  const space = new Uint16Array(numbers, count * 12, count);
  const role = new Uint8Array(numbers, count * 14, count);
  memories.forEach((memory, i) => {
    updatedAt[i] = memory.updatedAt.getTime();
    titleLength[i] = memory.analysed.titleLength;
    bodyLength[i] = memory.analysed.bodyLength;
    space[i] = spaceNumber.get(memory.spaceId) as number;
    role[i] = ROLES.indexOf(memory.role);
  });
  const rest = JSON.stringify({
    ids: memories.map(({ memoryId }) => memoryId),
    stamps: memories.map(({ stamp }) => stamp),
    spaces,
    pageStarts,
    termsVersion: TERMS_VERSION,
  });
  const size = Buffer.alloc(4);
  size.writeUInt32LE(count);
  return Buffer.concat([size, new Uint8Array(numbers), Buffer.from(rest)]);
}

/** Reads a header back. */
export function decodeHeader(bytes: Buffer): SegmentHeader {
  const count = bytes.readUInt32LE(0);
  const numbers = new Uint8Array(bytes.subarray(4, 4 + count * 15)).buffer;
  const rest = JSON.parse(bytes.toString('utf8', 4 + count * 15)) as {
    ids: string[];
    stamps: string[];
    spaces: string[];
    pageStarts: string[];
    termsVersion?: number;
  };
  return {
    count,
    ...rest,
    // The first version was not written down.
    termsVersion: rest.termsVersion ?? 1,
    updatedAt: new Float64Array(numbers, 0, count),
    titleLength: new Uint16Array(numbers, count * 8, count),
    bodyLength: new Uint16Array(numbers, count * 10, count),
    space: new Uint16Array(numbers, count * 12, count),
    role: new Uint8Array(numbers, count * 14, count),
  };
}

/** The pages, first and last, that can hold terms which begin so; null: none can. */
export function pagesOf(
  { pageStarts }: SegmentHeader,
  beginning: string,
): [first: number, last: number] | null {
  const last = lastAtMost(pageStarts, `${beginning}\uffff`);
  if (last < 0) return null;
  return [Math.max(0, lastAtMost(pageStarts, beginning)), last];
}

/** The number of the last value that is not after `wanted`; -1: none. */
function lastAtMost(sorted: readonly string[], wanted: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as string) <= wanted) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Visits the entries of a page whose term begins so; `start` and `end` bound their postings in the page. */
export function eachEntry(
  page: Buffer,
  beginning: Buffer,
  visit: (term: string, start: number, end: number) => void,
): void {
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = page[at++] as number;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < page.length) {
    const size = varint();
    const name = at;
    at += size;
    const length = varint();
    if (size >= beginning.length && startsWith(page, name, beginning))
      visit(termText(page, name, name + size), at, at + length);
    at += length;
  }
}

/** Visits the postings of one term of a page: their places go where `into` says, nowhere when it says null. */
export function eachPosting(page: Buffer, term: string, into: (doc: number) => Places | null): void {
  eachEntry(page, Buffer.from(term), (found, start, end) => {
    if (found !== term) return;
    let at = start;
    let doc = 0;
    const varint = () => {
      let value = 0;
      for (let shift = 0; ; shift += 7) {
        const byte = page[at++] as number;
        value |= (byte & 127) << shift;
        if (byte < 128) return value;
      }
    };
    while (at < end) {
      doc += varint();
      const head = varint();
      const titleCount = (head & 1) === 1 ? varint() : 0;
      const places = into(doc);
      for (const [field, count] of [
        ['title', titleCount],
        ['body', head >> 1],
      ] as const) {
        let place = 0;
        for (let k = 0; k < count; k++) {
          place += varint();
          places?.[field].push(place);
        }
      }
    }
  });
}

function startsWith(page: Buffer, at: number, beginning: Buffer): boolean {
  for (let i = 0; i < beginning.length; i++) if (page[at + i] !== beginning[i]) return false;
  return true;
}
