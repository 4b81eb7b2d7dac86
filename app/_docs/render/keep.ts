/** A few origins name one installation; a stranger's invented `Host` must not fill the memory. */
const MAX_KEPT = 64;

/** Makes a value once for each key; past `MAX_KEPT` keys everything is forgotten. */
export function keeper<T>(): (key: string, make: () => T) => T {
  const kept = new Map<string, T>();
  return (key, make) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = make();
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(key, made);
    return made;
  };
}
