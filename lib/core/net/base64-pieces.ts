const SIGNS = /^[A-Za-z0-9+/]*={0,2}$/;
/** Bytes copied before the event loop gets a turn. */
const COPY_BYTES = 8 * 1024 * 1024;

/** Decodes base64 as it arrives. Strict: one character outside the alphabet, or one after the padding, and there is no file. */
export class Base64Pieces {
  #rest = '';
  #isPadded = false;
  #isBroken = false;
  #size = 0;
  readonly #pieces: Buffer[] = [];

  /** Whether what arrived so far is invalid base64. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  take(text: string): void {
    if (this.#isBroken || text === '') return;
    const whole = this.#rest + text;
    const end = whole.length - (whole.length % 4);
    this.#rest = whole.slice(end);
    this.#decode(whole.slice(0, end));
  }

  /** The file once all of it came; null when it is none, or empty. */
  async whole(): Promise<Uint8Array<ArrayBuffer> | null> {
    const last = this.#rest;
    this.#rest = '';
    this.#decode(last);
    if (this.#isBroken || this.#size === 0) return null;
    const bytes = new Uint8Array(this.#size);
    let at = 0;
    let sinceTurn = 0;
    for (const piece of this.#pieces.splice(0)) {
      bytes.set(piece, at);
      at += piece.length;
      sinceTurn += piece.length;
      if (sinceTurn < COPY_BYTES) continue;
      sinceTurn = 0;
      await new Promise<void>((turn) => setImmediate(turn));
    }
    return bytes;
  }

  #decode(text: string): void {
    if (text === '' || this.#isBroken) return;
    if (this.#isPadded || !SIGNS.test(text)) {
      this.#isBroken = true;
      this.#pieces.length = 0;
      return;
    }
    this.#isPadded = text.endsWith('=');
    const bytes = Buffer.from(text, 'base64');
    this.#size += bytes.length;
    this.#pieces.push(bytes);
  }
}
