import { isStrong, type MatchCode, WITH_UNIT, WITH_UNIT_PERHAPS } from '../matching/match.ts';
import type { Steps } from '../matching/pace.ts';
import { worth } from '../matching/score.ts';
import { type AnalysedMemory, MAX_MENTIONS, type Places } from '../matching/terms.ts';
import { type NumberAndUnit, placesTogether } from '../matching/units.ts';
import { eachEntry, eachPosting } from './format.ts';

/** The Memories of one segment that answer one word of a query, with what their score needs; in the order of their numbers. */
export type MatchList = {
  length: number;
  /** How many of them hold the word itself or an inflection of it. */
  strong: number;
  docs: Int32Array;
  /** Those of them that hold it in their title. */
  titleDocs: Int32Array;
  /** Best match in each field. */
  title: Uint16Array;
  body: Uint16Array;
  /** Places in each field, those of the title first, from `offset` in `places`. */
  titleCount: Uint8Array;
  bodyCount: Uint8Array;
  offset: Uint32Array;
  places: Uint16Array;
  /** What the word is worth there, before its weight. */
  value: Float64Array;
  /** The greatest value, and that of a Memory that does not hold the word in its title. */
  most: number;
  mostInBody: number;
};

const NONE = new Int32Array(0);
/** Terms or postings gone through between two steps. */
const STEP = 1_024;

/** The pages that hold the terms of a number and its unit. `first`: of its first word in thousands, if any holds it. */
type PagesApart = { number: Buffer; unit: Buffer; first: Buffer | null };

/** Where a term of a page stands, by Memory, in those that `isWanted` names. */
function placesIn(page: Buffer, term: string, isWanted: (doc: number) => boolean): Map<number, Places> {
  const found = new Map<number, Places>();
  eachPosting(page, term, (doc) => {
    if (!isWanted(doc)) return null;
    const places: Places = { title: [], body: [] };
    found.set(doc, places);
    return places;
  });
  return found;
}

type Lengths = { count: number; bodyLength: ArrayLike<number> };

/** Gathers postings of several terms, then merges those of one Memory. */
export class ListBuilder {
  readonly #lengths: Lengths;
  readonly #docs: number[] = [];
  readonly #codes: number[] = [];
  readonly #titleCounts: number[] = [];
  readonly #bodyCounts: number[] = [];
  readonly #offsets: number[] = [];
  #places = new Uint16Array(256);
  #used = 0;

  constructor(lengths: Lengths) {
    this.#lengths = lengths;
  }

  #place(value: number): void {
    if (this.#used === this.#places.length) {
      const larger = new Uint16Array(this.#places.length * 2);
      larger.set(this.#places);
      this.#places = larger;
    }
    this.#places[this.#used++] = value;
  }

  #add(doc: number, code: MatchCode, titleCount: number, bodyCount: number): void {
    this.#docs.push(doc);
    this.#codes.push(code);
    this.#titleCounts.push(titleCount);
    this.#bodyCounts.push(bodyCount);
    this.#offsets.push(this.#used);
  }

  /** The terms of a page that begin so and that `accept` gives a match. */
  addPage(page: Buffer, beginning: Buffer, accept: (term: string) => MatchCode): void {
    eachEntry(page, beginning, (term, start, end) => {
      const code = accept(term);
      if (code !== 0) this.#addPostings(page, start, end, code);
    });
  }

  #addPostings(page: Buffer, start: number, end: number, code: MatchCode): void {
    let at = start;
    let doc = 0;
    const varint = () => {
      const first = page[at++] as number;
      if (first < 128) return first;
      let value = first & 127;
      for (let shift = 7; ; shift += 7) {
        const byte = page[at++] as number;
        value |= (byte & 127) << shift;
        if (byte < 128) return value;
      }
    };
    while (at < end) {
      doc += varint();
      const head = varint();
      const bodyCount = head >> 1;
      const titleCount = (head & 1) === 1 ? varint() : 0;
      this.#add(doc, code, titleCount, bodyCount);
      for (const count of [titleCount, bodyCount]) {
        let place = 0;
        for (let k = 0; k < count; k++) {
          place += varint();
          this.#place(place);
        }
      }
    }
  }

  /** Adds the terms of one Memory that is not in a segment yet, in steps. */
  *addingMemory(doc: number, { terms }: AnalysedMemory, accept: (term: string) => MatchCode): Steps<void> {
    let looked = 0;
    for (const [term, places] of terms) {
      if (++looked % STEP === 0) yield;
      const code = accept(term);
      if (code === 0) continue;
      this.#add(doc, code, places.title.length, places.body.length);
      for (const place of places.title) this.#place(place);
      for (const place of places.body) this.#place(place);
    }
  }

  /** The Memories in which a number stands right before its unit. */
  addTogether(apart: NumberAndUnit, pages: PagesApart): void {
    const numbers = placesIn(pages.number, apart.number, () => true);
    const units = placesIn(pages.unit, apart.unit, (doc) => numbers.has(doc));
    const firsts =
      apart.thousands && pages.first
        ? placesIn(pages.first, apart.thousands.first, (doc) => units.has(doc))
        : new Map<number, Places>();
    for (const [doc, unit] of units) this.#addTogether(doc, apart, numbers.get(doc), unit, firsts.get(doc));
  }

  /** The same for one Memory that is not in a segment yet. */
  addMemoryTogether(doc: number, { terms }: AnalysedMemory, apart: NumberAndUnit): void {
    const first = apart.thousands ? terms.get(apart.thousands.first) : undefined;
    this.#addTogether(doc, apart, terms.get(apart.number), terms.get(apart.unit), first);
  }

  #addTogether(
    doc: number,
    apart: NumberAndUnit,
    number: Places | undefined,
    unit: Places | undefined,
    first: Places | undefined,
  ): void {
    if (!number || !unit) return;
    for (const field of ['title', 'body'] as const) {
      const own = { number: number[field], unit: unit[field], first: first?.[field] ?? [] };
      const { places, isSure } = placesTogether(apart, own);
      if (places.length === 0) continue;
      const inTitle = field === 'title' ? places.length : 0;
      this.#add(doc, isSure ? WITH_UNIT : WITH_UNIT_PERHAPS, inTitle, places.length - inTitle);
      for (const place of places) this.#place(place);
    }
  }

  /** The list of all that was added, in steps: one letter can begin every term of a segment. */
  *building(): Steps<MatchList> {
    const entries = this.#docs.length;
    const order = this.#inOrder();
    yield;
    let length = 0;
    for (let i = 0; i < entries; i++)
      if (i === 0 || this.#docs[order[i] as number] !== this.#docs[order[i - 1] as number]) length++;
    const list: MatchList = {
      length,
      strong: 0,
      docs: new Int32Array(length),
      titleDocs: NONE,
      title: new Uint16Array(length),
      body: new Uint16Array(length),
      titleCount: new Uint8Array(length),
      bodyCount: new Uint8Array(length),
      offset: new Uint32Array(length),
      places: this.#places,
      value: new Float64Array(length),
      most: 0,
      mostInBody: 0,
    };
    const merged = new Uint16Array(this.#used);
    const titleDocs: number[] = [];
    let used = 0;
    let at = -1;
    let next = STEP;
    for (let first = 0; first < entries; ) {
      if (first >= next) {
        next = first + STEP;
        yield;
      }
      const doc = this.#docs[order[first] as number] as number;
      let last = first + 1;
      while (last < entries && this.#docs[order[last] as number] === doc) last++;
      at++;
      list.docs[at] = doc;
      list.offset[at] = used;
      if (last === first + 1) used += this.#copy(order[first] as number, list, at, merged, used);
      else {
        const own = order.subarray(first, last);
        list.titleCount[at] = this.#merge(own, 'title', merged, used);
        used += list.titleCount[at] as number;
        list.bodyCount[at] = this.#merge(own, 'body', merged, used);
        used += list.bodyCount[at] as number;
      }
      for (let i = first; i < last; i++) {
        const entry = order[i] as number;
        const code = this.#codes[entry] as number;
        if ((this.#titleCounts[entry] as number) > 0 && code > (list.title[at] as number))
          list.title[at] = code;
        if ((this.#bodyCounts[entry] as number) > 0 && code > (list.body[at] as number)) list.body[at] = code;
      }
      if (isStrong(list.title[at] as number) || isStrong(list.body[at] as number)) list.strong++;
      const value = worth(
        list.title[at] as number,
        list.body[at] as number,
        list.bodyCount[at] as number,
        this.#lengths.bodyLength[doc] as number,
      );
      list.value[at] = value;
      list.most = Math.max(list.most, value);
      if (list.title[at] === 0) list.mostInBody = Math.max(list.mostInBody, value);
      else titleDocs.push(doc);
      first = last;
    }
    list.titleDocs = Int32Array.from(titleDocs);
    list.places = merged.slice(0, used);
    return list;
  }

  /** Entries by Memory (a counting sort: they are many and the numbers are few). */
  #inOrder(): Uint32Array {
    const entries = this.#docs.length;
    const order = new Uint32Array(entries);
    const starts = new Uint32Array(this.#lengths.count + 1);
    for (const doc of this.#docs) starts[doc + 1] = (starts[doc + 1] as number) + 1;
    for (let doc = 0; doc < this.#lengths.count; doc++)
      starts[doc + 1] = (starts[doc + 1] as number) + (starts[doc] as number);
    for (let i = 0; i < entries; i++) {
      const doc = this.#docs[i] as number;
      order[starts[doc] as number] = i;
      starts[doc] = (starts[doc] as number) + 1;
    }
    return order;
  }

  /** The places of the only entry of a Memory, as they are. Returns how many. */
  #copy(entry: number, list: MatchList, at: number, into: Uint16Array, to: number): number {
    const titleCount = this.#titleCounts[entry] as number;
    const bodyCount = this.#bodyCounts[entry] as number;
    const from = this.#offsets[entry] as number;
    list.titleCount[at] = titleCount;
    list.bodyCount[at] = bodyCount;
    const count = titleCount + bodyCount;
    for (let k = 0; k < count; k++) into[to + k] = this.#places[from + k] as number;
    return count;
  }

  /** Distinct places of these entries in one field, ascending, at most MAX_MENTIONS, written from `to`. Returns how many. */
  #merge(entries: Uint32Array, field: 'title' | 'body', into: Uint16Array, to: number): number {
    const gathered: number[] = [];
    for (const entry of entries) {
      const titleCount = this.#titleCounts[entry] as number;
      const from = (this.#offsets[entry] as number) + (field === 'title' ? 0 : titleCount);
      const count = field === 'title' ? titleCount : (this.#bodyCounts[entry] as number);
      for (let k = 0; k < count; k++) gathered.push(this.#places[from + k] as number);
    }
    const all = new Uint16Array(gathered).sort();
    let count = 0;
    for (let k = 0; k < all.length && count < MAX_MENTIONS; k++)
      if (k === 0 || all[k] !== all[k - 1]) into[to + count++] = all[k] as number;
    return count;
  }
}

/** Bytes that a list takes in memory. */
export function listBytes(list: MatchList): number {
  return 200 + list.length * 22 + list.titleDocs.length * 4 + list.places.length * 2;
}

/** Where a Memory stands in a list; -1: nowhere. */
export function placeOf({ docs, length }: MatchList, doc: number): number {
  let low = 0;
  let high = length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const value = docs[middle] as number;
    if (value === doc) return middle;
    if (value < doc) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
