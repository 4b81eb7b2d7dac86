import { PLAIN_LETTERS } from '#lib/core/text/fold.ts';
import { latinLookAlike } from './look-alikes.ts';

/** A text made easy to match, and where each of its characters came from. */
export type Folded = {
  text: string;
  /** For each UTF-16 unit of `text`, the index in the original where it starts; one more entry for the end. */
  origins: readonly number[];
};

const SPELLED_OUT: Record<string, string> = {
  ...PLAIN_LETTERS,
  '’': "'",
  ʼ: "'",
  '‘': "'",
  '‛': "'",
  '′': "'",
  '´': "'",
  '`': "'",
};
/** Dash-like signs that a reader takes for a hyphen. */
const HYPHENS = new Set(['‐', '‑', '−', '﹣', '－']);
const INVISIBLE = /^(?:\p{Cf}|\p{Mn}|\p{Me})$/u;

/**
 * Lower case, no accents, straight apostrophes, plain hyphens, Latin letters for those of other scripts that look like them, each run of
 * white space as one space, nothing invisible: so a phrase is found however it was typed. Each unit keeps its place in the original. Linear.
 */
export function fold(original: string): Folded {
  const pieces: string[] = [];
  const origins: number[] = [];
  const push = (piece: string, from: number) => {
    for (let unit = 0; unit < piece.length; unit += 1) origins.push(from);
    pieces.push(piece);
  };
  let at = 0;
  for (const sign of original) {
    const from = at;
    at += sign.length;
    if (/^\s$/.test(sign)) {
      if (pieces.at(-1) !== ' ') push(' ', from);
    } else if (sign < '\u0080') push(SPELLED_OUT[sign] ?? sign.toLowerCase(), from);
    else if (HYPHENS.has(sign)) push('-', from);
    else {
      for (const part of (SPELLED_OUT[sign] ?? sign).normalize('NFKD')) {
        const letter = latinLookAlike(part).toLowerCase();
        if (!INVISIBLE.test(part)) push(SPELLED_OUT[letter] ?? letter, from);
      }
    }
  }
  origins.push(original.length);
  return { text: pieces.join(''), origins };
}
