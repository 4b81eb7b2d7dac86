import type { MemoryDraft } from './types.ts';

/** What an import recognises a Memory by: its identifier in an export of a Space, else its page's in Notion, else the path under which it came. */
export function importKeyOf({ id, notion, cameAs, key }: MemoryDraft): string {
  if (id !== null) return `id:${id}`;
  return notion === undefined ? pathKey(cameAs ?? key) : `notion:${notion}`;
}

/** What an import recognises by its path. */
export function pathKey(path: string): string {
  return `path:${path}`;
}

/** A key as systems that tell neither case nor the two writings of an accent apart would read it: « Été.md » is « été.md » there. */
export function foldedKey(key: string): string {
  return key.toLowerCase().normalize('NFC');
}

/** Path of the file that holds what a path key names, or a part of it: the anchor of a part holds no dot, the name of a file does. */
export function filePathOf(key: string): string {
  const mark = key.lastIndexOf('#');
  return mark === -1 || key.includes('.', mark) ? key : key.slice(0, mark);
}
