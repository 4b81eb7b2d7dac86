/**
 * Values derived from a Space at one version. The database says the current version in the same statement that serves
 * the request, so an entry can be absent or old, but never wrongly served: no other instance has to be told.
 */
export class VersionedCache<T> {
  readonly #entries = new Map<string, { version: number; value: T; bytes: number }>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(key: string): { version: number; value: T } | undefined {
    const entry = this.#entries.get(key);
    if (entry) {
      this.#entries.delete(key);
      this.#entries.set(key, entry);
    }
    return entry;
  }

  set(key: string, version: number, value: T, bytes: number): void {
    this.#remove(key);
    if (bytes > this.#maxBytes / 4) return;
    this.#entries.set(key, { version, value, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }
}
