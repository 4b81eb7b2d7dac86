import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../../../..');
const FACES = ['geist.woff2', 'geist-mono.woff2'];
const KIB = 1024;

const faceFile = (name: string) => readFileSync(path.join(ROOT, 'app/_ui/fonts', name));

// WOFF2, § 5: the tables stand one after the other in one Brotli stream; those read here are never transformed.
const KNOWN_TAGS =
  'cmap head hhea hmtx maxp name OS/2 post cvt  fpgm glyf loca prep CFF  VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX vhea vmtx BASE GDEF GPOS GSUB'.match(
    /.{4} ?/g,
  ) ?? [];

function tablesOf(file: Buffer): Map<string, Buffer> {
  let at = 48;
  const readLength = () => {
    let length = 0;
    for (;;) {
      const byte = file[at++] as number;
      length = length * 128 + (byte & 127);
      if (byte < 128) return length;
    }
  };
  const sizes: [string, number][] = [];
  for (let table = 0; table < file.readUInt16BE(12); table++) {
    const flags = file[at++] as number;
    const known = flags & 63;
    const tag = known === 63 ? file.toString('latin1', at, at + 4) : (KNOWN_TAGS[known] ?? '').slice(0, 4);
    if (known === 63) at += 4;
    const length = readLength();
    const isShape = tag === 'glyf' || tag === 'loca';
    const transformed = isShape ? flags >> 6 === 0 : flags >> 6 !== 0;
    sizes.push([tag, transformed ? readLength() : length]);
  }
  const data = brotliDecompressSync(file.subarray(at, at + file.readUInt32BE(20)));
  let start = 0;
  return new Map(
    sizes.map(([tag, size]) => {
      const table = data.subarray(start, start + size);
      start += size;
      return [tag, table];
    }),
  );
}

/** The characters in the segments (format 4) of a character map. */
function charactersOf(cmap: Buffer): Set<number> {
  const found = new Set<number>();
  for (let map = 0; map < cmap.readUInt16BE(2); map++) {
    const at = cmap.readUInt32BE(8 + 8 * map);
    if (cmap.readUInt16BE(at) !== 4) continue;
    const doubled = cmap.readUInt16BE(at + 6);
    for (let segment = 0; segment < doubled; segment += 2) {
      const [end, start] = [
        cmap.readUInt16BE(at + 14 + segment),
        cmap.readUInt16BE(at + 16 + doubled + segment),
      ];
      for (let code = start; code <= end; code++) found.add(code);
    }
  }
  return found;
}

/** The characters beyond ASCII in pages and messages. */
const SAID = [
  ...new Set(
    ['app/**/*.{ts,tsx}', 'lib/messages/**/*.ts'].flatMap((pattern) =>
      globSync(pattern, { cwd: ROOT }).flatMap((file) => [
        ...(readFileSync(path.join(ROOT, file), 'utf8').match(/[^\0-\x7f]/gu) ?? []),
      ]),
    ),
  ),
];
const LETTERS = 'ÀÂÆÇÉÈÊËÎÏÔŒÙÛÜŸàâæçéèêëîïôœùûüÿßñøåäöõąćęłńśźżčďěňřšťůžğışőűāēīū'.split('');

describe('the fonts of the pages', () => {
  test('weigh at most 70 KiB together', () => {
    const bytes = FACES.reduce((sum, name) => sum + faceFile(name).length, 0);
    expect(bytes).toBeLessThan(70 * KIB);
    expect(bytes).toBeGreaterThan(20 * KIB);
  });

  test.each(FACES)(
    '%s has every character that the pages are written with, and the letters of names',
    (name) => {
      const has = charactersOf(tablesOf(faceFile(name)).get('cmap') as Buffer);
      const lacking = [...SAID, ...LETTERS].filter((letter) => !has.has(letter.codePointAt(0) ?? 0));
      expect(SAID.length).toBeGreaterThan(20);
      expect(lacking).toEqual([]);
    },
  );

  test('keep figures of one width', () => {
    // Those of the monospaced font have one width by nature.
    expect(tablesOf(faceFile('geist.woff2')).get('GSUB')?.includes('tnum')).toBe(true);
  });
});
