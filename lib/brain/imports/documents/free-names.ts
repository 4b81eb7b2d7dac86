/** Paths that files have already, and free ones beside them. */
export class FreeNames {
  readonly #taken = new Set<string>();
  /** The next number to try, by path: thousands of one name stay cheap. */
  readonly #next = new Map<string, number>();

  has(path: string): boolean {
    return this.#taken.has(path);
  }

  /** Takes this path, or « notes (2).md » where `notes.md` is another file's. */
  take(path: string): string {
    const free = this.#taken.has(path) ? this.#numbered(path) : path;
    this.#taken.add(free);
    return free;
  }

  #numbered(path: string): string {
    const dot = path.lastIndexOf('.');
    const end = dot > path.lastIndexOf('/') ? dot : path.length;
    for (let number = this.#next.get(path) ?? 2; ; number += 1) {
      const name = `${path.slice(0, end)} (${number})${path.slice(end)}`;
      if (this.#taken.has(name)) continue;
      this.#next.set(path, number + 1);
      return name;
    }
  }
}
