const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** Where the string that begins at `start` ends: at its closing quotation mark. */
function endOf(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  for (;;) {
    let first = end;
    while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    if ((end - first) % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
}

/** The first character after `at` that is no white space of JSON. */
function nextAfter(text: string, at: number): number {
  let next = at + 1;
  while (text.charCodeAt(next) <= 0x20) next += 1;
  return next;
}

/**
 * The first name that one object of a JSON text gives twice; null when there is none. `text` was parsed before: it is valid. `JSON.parse` keeps the
 * last of them, where another reader of the same bytes may keep the first (RFC 8259, section 4). Linear.
 */
export function repeatedKey(text: string): string | null {
  /** What is open: a list (null), an object without a name yet, or the names of one. */
  const open: (Set<string> | 'new' | null)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const start = at;
      at = endOf(text, start);
      const inside = open[open.length - 1];
      if (!inside || text.charCodeAt(nextAfter(text, at)) !== COLON) continue;
      const written = text.slice(start + 1, at);
      const name = written.includes('\\') ? (JSON.parse(text.slice(start, at + 1)) as string) : written;
      if (inside === 'new') open[open.length - 1] = new Set([name]);
      else if (inside.has(name)) return name;
      else inside.add(name);
    } else if (code === 0x7b) open.push('new');
    else if (code === 0x5b) open.push(null);
    else if (code === 0x7d || code === 0x5d) open.pop();
  }
  return null;
}
