/** The answers that may be asked for conditionally, most recently used last; no more than `maxEntries`, and no body over `maxChars`. */
export class EtagCache {
  readonly #entries = new Map<string, { etag: string; text: string }>();
  readonly #maxEntries: number;
  readonly #maxChars: number;

  constructor(maxEntries: number, maxChars = 2_000_000) {
    this.#maxEntries = maxEntries;
    this.#maxChars = maxChars;
  }

  get(url: string): { etag: string; text: string } | undefined {
    const entry = this.#entries.get(url);
    if (!entry) return undefined;
    this.#entries.delete(url);
    this.#entries.set(url, entry);
    return entry;
  }

  set(url: string, etag: string, text: string): void {
    this.#entries.delete(url);
    if (this.#maxEntries === 0 || text.length > this.#maxChars) return;
    this.#entries.set(url, { etag, text });
    const oldest = this.#entries.keys().next();
    if (this.#entries.size > this.#maxEntries && !oldest.done) this.#entries.delete(oldest.value);
  }

  clear(): void {
    this.#entries.clear();
  }
}
