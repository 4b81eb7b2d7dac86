import { Base64Pieces } from './base64-pieces.ts';
import { TooManyBytes } from './read-capped.ts';

/** The files of an answer, by the mark that replaces each in its JSON; null: it began as base64 and is not. */
export type AnswerFiles = ReadonlyMap<string, Uint8Array | null>;

type JsonWithFiles = {
  /** The JSON as it came, with a mark in the place of each file. */
  bytes: Uint8Array<ArrayBuffer>;
  files: AnswerFiles;
};

/** A shorter text stays in the JSON: base64 of it costs nothing to read at once. */
const LONG_TEXT_BYTES = 64 * 1024;
/** What is left of an answer without its files: parsed in one go. */
const MAX_JSON_BYTES = 4 * 1024 * 1024;
/** Bytes read before the event loop gets a turn: some milliseconds. */
const TURN_BYTES = 1024 * 1024;
/** Largest slice decoded at once: a stream may deliver everything in one piece. */
const SLICE_BYTES = 256 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const DATA_PREFIX = /^data:[\w/+.-]+;base64,/;

const turnOfLoop = () => new Promise<void>((turn) => setImmediate(turn));

/**
 * Reads a JSON answer that may hold whole files as base64, or as base64 `data:` addresses: such a text is decoded as it arrives, so that one
 * of a hundred megabytes does not block the event loop. Errors: `TooManyBytes` past `maxBytes`, and past 4 MB without the files; those of the
 * stream. What is not JSON is returned as it came.
 */
export async function readJsonFiles(
  stream: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
): Promise<JsonWithFiles> {
  const reader = new Reader();
  let size = 0;
  let sinceTurn = 0;
  for await (const chunk of stream ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new TooManyBytes(maxBytes);
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let from = 0; from < bytes.length; from += SLICE_BYTES) {
      const slice = bytes.subarray(from, from + SLICE_BYTES);
      reader.take(slice);
      sinceTurn += slice.length;
      if (sinceTurn < TURN_BYTES) continue;
      sinceTurn = 0;
      await turnOfLoop();
    }
  }
  return { bytes: reader.json(), files: await reader.files() };
}

class Reader {
  #json: Buffer<ArrayBuffer> = Buffer.alloc(16 * 1024);
  #filled = 0;
  #mode: 'between' | 'text' | 'file' = 'between';
  /** The next byte of the text stands after a backslash. */
  #escaped = false;
  /** The beginning of a text that may be a file; null once it is known to be none. */
  #held: Buffer[] | null = null;
  #heldBytes = 0;
  #file = new Base64Pieces();
  /** Of a file's text: a backslash whose other half is still to come. */
  #carried = '';
  readonly #files: Base64Pieces[] = [];

  /** Reads on: `bytes` is read to its end. */
  take(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.#mode === 'between') at = this.#between(bytes, at);
      else if (this.#mode === 'text') at = this.#text(bytes, at);
      else at = this.#base64(bytes, at);
    }
  }

  json(): Uint8Array<ArrayBuffer> {
    // A text that never ended: what was held of it belongs to the answer all the same.
    this.#keepHeld();
    return new Uint8Array(this.#json.subarray(0, this.#filled));
  }

  async files(): Promise<AnswerFiles> {
    const files = new Map<string, Uint8Array | null>();
    for (const [index, pieces] of this.#files.entries()) files.set(markOf(index), await pieces.whole());
    return files;
  }

  #between(bytes: Buffer, from: number): number {
    const quote = bytes.indexOf(QUOTE, from);
    const end = quote < 0 ? bytes.length : quote + 1;
    this.#keep(bytes.subarray(from, end));
    if (quote < 0) return end;
    this.#mode = 'text';
    this.#escaped = false;
    this.#held = [];
    this.#heldBytes = 0;
    return end;
  }

  #text(bytes: Buffer, from: number): number {
    const mostEnd = this.#held ? from + LONG_TEXT_BYTES - this.#heldBytes : bytes.length;
    let at = from;
    for (; at < bytes.length && this.#mode === 'text'; at += 1) {
      if (at >= mostEnd && !this.#escaped) break;
      const byte = bytes[at];
      if (this.#escaped) this.#escaped = false;
      else if (byte === BACKSLASH) this.#escaped = true;
      else if (byte === QUOTE) this.#mode = 'between';
    }
    const piece = bytes.subarray(from, at);
    if (this.#held) {
      this.#held.push(piece);
      this.#heldBytes += piece.length;
    } else this.#keep(piece);
    if (this.#mode === 'between') this.#keepHeld();
    else if (this.#held && this.#heldBytes >= LONG_TEXT_BYTES && !this.#escaped) this.#judge(this.#held);
    return at;
  }

  /** A long text is a file when all that came of it is base64; else it stays where it is. */
  #judge(held: readonly Buffer[]): void {
    const text = unescaped(Buffer.concat(held).toString('latin1')).replace(DATA_PREFIX, '');
    const file = new Base64Pieces();
    file.take(text);
    if (file.isBroken) {
      this.#keepHeld();
      return;
    }
    this.#keep(Buffer.from(JSON.stringify(markOf(this.#files.length)).slice(1, -1)));
    this.#files.push(file);
    this.#file = file;
    this.#held = null;
    this.#carried = '';
    this.#mode = 'file';
  }

  #base64(bytes: Buffer, from: number): number {
    const quote = bytes.indexOf(QUOTE, from);
    const end = quote < 0 ? bytes.length : quote;
    const text = this.#carried + bytes.toString('latin1', from, end);
    const isOpen = backslashesAtEnd(text) % 2 === 1;
    this.#carried = isOpen ? '\\' : '';
    this.#file.take(unescaped(isOpen ? text.slice(0, -1) : text));
    if (quote < 0) return end;
    if (isOpen) {
      // A quotation mark written out, which base64 has none of: read on to the end of the text.
      this.#carried = '';
      this.#file.take('"');
      return quote + 1;
    }
    this.#keep(bytes.subarray(quote, quote + 1));
    this.#mode = 'between';
    return quote + 1;
  }

  #keepHeld(): void {
    for (const piece of this.#held ?? []) this.#keep(piece);
    this.#held = null;
  }

  #keep(piece: Uint8Array): void {
    const needed = this.#filled + piece.length;
    if (needed > MAX_JSON_BYTES) throw new TooManyBytes(MAX_JSON_BYTES);
    if (needed > this.#json.length) {
      const larger = Buffer.alloc(Math.max(needed, 2 * this.#json.length));
      larger.set(this.#json.subarray(0, this.#filled));
      this.#json = larger;
    }
    this.#json.set(piece, this.#filled);
    this.#filled = needed;
  }
}

/** No text that anybody writes: it begins with NUL, which PostgreSQL cannot hold. */
const markOf = (index: number) => `\u0000file:${index}`;

/** Some encoders escape the slash in JSON. */
const unescaped = (text: string) => text.replaceAll('\\/', '/');

function backslashesAtEnd(text: string): number {
  let from = text.length;
  while (from > 0 && text[from - 1] === '\\') from -= 1;
  return text.length - from;
}
