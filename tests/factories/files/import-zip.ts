import { buffer } from 'node:stream/consumers';
import { zipPieces } from '#lib/core/zip/zip.ts';

export type TextEntry = readonly [path: string, text: string];

/** A zip archive of texts, entry by entry as they are given: two may have one name, as no folder can. */
export function zipOfTexts(entries: readonly TextEntry[]): Promise<Buffer> {
  return buffer(zipPieces(filesOf(entries)));
}

async function* filesOf(entries: readonly TextEntry[]): AsyncGenerator<{ path: string; bytes: Uint8Array }> {
  for (const [path, text] of entries) yield { path, bytes: new TextEncoder().encode(text) };
}
