import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The faces a design may use, and their metrics read from the very files that are drawn. Measuring ourselves lets a
 * text be fitted before it is drawn, and proves that no glyph is missing: the drawing library fetches missing ones.
 */
export type Face = 'regular' | 'medium' | 'semibold' | 'bold' | 'black' | 'mono';

type FaceFile = { family: string; weight: 400 | 500 | 600 | 700 | 900; file: () => string };

// Literal paths from the working directory: the form that Next's file tracing recognises.
const FACES: Record<Face, FaceFile> = {
  regular: {
    family: 'Geist',
    weight: 400,
    file: () => join(process.cwd(), 'node_modules/geist/dist/fonts/geist-sans/Geist-Regular.ttf'),
  },
  medium: {
    family: 'Geist',
    weight: 500,
    file: () => join(process.cwd(), 'node_modules/geist/dist/fonts/geist-sans/Geist-Medium.ttf'),
  },
  semibold: {
    family: 'Geist',
    weight: 600,
    file: () => join(process.cwd(), 'node_modules/geist/dist/fonts/geist-sans/Geist-SemiBold.ttf'),
  },
  bold: {
    family: 'Geist',
    weight: 700,
    file: () => join(process.cwd(), 'node_modules/geist/dist/fonts/geist-sans/Geist-Bold.ttf'),
  },
  black: {
    family: 'Geist',
    weight: 900,
    file: () => join(process.cwd(), 'node_modules/geist/dist/fonts/geist-sans/Geist-Black.ttf'),
  },
  mono: {
    family: 'Geist Mono',
    weight: 500,
    file: () => join(process.cwd(), 'node_modules/geist/dist/fonts/geist-mono/GeistMono-Medium.ttf'),
  },
};

type FaceMetrics = {
  family: string;
  weight: number;
  /** Ratios of the font size. */
  ascent: number;
  descent: number;
  capHeight: number;
  has(codePoint: number): boolean;
  /** Advance of one character as a ratio of the font size; 0 for a character the face does not have. */
  advance(codePoint: number): number;
};

type LoadedFace = { metrics: FaceMetrics; data: Buffer };

const loaded = new Map<Face, LoadedFace>();

function tables(data: Buffer): Map<string, number> {
  const offsets = new Map<string, number>();
  for (let i = 0; i < data.readUInt16BE(4); i++) {
    const at = 12 + 16 * i;
    offsets.set(data.toString('latin1', at, at + 4), data.readUInt32BE(at + 8));
  }
  return offsets;
}

/** Character to glyph, from the format 4 table (the Basic Multilingual Plane), which both families carry. */
function readCharacterMap(data: Buffer, cmap: number): Map<number, number> {
  const glyphs = new Map<number, number>();
  for (let i = 0; i < data.readUInt16BE(cmap + 2); i++) {
    const at = cmap + data.readUInt32BE(cmap + 8 + 8 * i);
    if (data.readUInt16BE(at) !== 4) continue;
    const doubled = data.readUInt16BE(at + 6);
    for (let s = 0; s < doubled; s += 2) {
      const end = data.readUInt16BE(at + 14 + s);
      const start = data.readUInt16BE(at + 16 + doubled + s);
      const delta = data.readUInt16BE(at + 16 + 2 * doubled + s);
      const rangeAt = at + 16 + 3 * doubled + s;
      const range = data.readUInt16BE(rangeAt);
      for (let code = start; code <= end && code !== 0xffff; code++) {
        const raw = range === 0 ? code : data.readUInt16BE(rangeAt + range + 2 * (code - start));
        const glyph = raw === 0 ? 0 : (raw + delta) & 0xffff;
        if (glyph !== 0) glyphs.set(code, glyph);
      }
    }
  }
  return glyphs;
}

function load(face: Face): LoadedFace {
  const known = loaded.get(face);
  if (known) return known;
  const { family, weight, file } = FACES[face];
  const data = readFileSync(file());
  const at = tables(data);
  const table = (name: string) => {
    const offset = at.get(name);
    if (offset === undefined) throw new Error(`font ${family} ${weight} has no ${name} table`);
    return offset;
  };
  const unitsPerEm = data.readUInt16BE(table('head') + 18);
  const hhea = table('hhea');
  const hmtx = table('hmtx');
  const metricCount = data.readUInt16BE(hhea + 34);
  const glyphs = readCharacterMap(data, table('cmap'));
  const metrics: FaceMetrics = {
    family,
    weight,
    ascent: data.readInt16BE(hhea + 4) / unitsPerEm,
    descent: -data.readInt16BE(hhea + 6) / unitsPerEm,
    capHeight: data.readInt16BE(table('OS/2') + 88) / unitsPerEm,
    has: (codePoint) => glyphs.has(codePoint),
    advance: (codePoint) => {
      const glyph = glyphs.get(codePoint);
      if (glyph === undefined) return 0;
      return data.readUInt16BE(hmtx + 4 * Math.min(glyph, metricCount - 1)) / unitsPerEm;
    },
  };
  const result = { metrics, data };
  loaded.set(face, result);
  return result;
}

/** Metrics of one face, read once per process. */
export function faceMetrics(face: Face): FaceMetrics {
  return load(face).metrics;
}

type DrawingFont = { name: string; data: ArrayBuffer; weight: 400 | 500 | 600 | 700 | 900; style: 'normal' };
let drawingFonts: DrawingFont[] | undefined;

/** Every face in the form the drawing library takes. Always the same array: it parses the fonts once per array. */
export function allDrawingFonts(): DrawingFont[] {
  drawingFonts ??= (Object.keys(FACES) as Face[]).map((face) => {
    const { data } = load(face);
    const bytes = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength) as ArrayBuffer;
    return { name: FACES[face].family, data: bytes, weight: FACES[face].weight, style: 'normal' };
  });
  return drawingFonts;
}

/** Characters of `text` that at least one face cannot draw, each once, in order of appearance. */
export function undrawable(text: string): string[] {
  const missing = new Set<string>();
  for (const character of text) {
    if (character === '\n') continue;
    const codePoint = character.codePointAt(0) as number;
    const everywhere = (Object.keys(FACES) as Face[]).every((face) => faceMetrics(face).has(codePoint));
    if (!everywhere) missing.add(character);
  }
  return [...missing];
}
