import { type Boundary, cutAt, ELLIPSIS } from '../text/cut.ts';
import { BREAK_LENGTH, fittingIndex, QUOTE_START, quotedLength } from './quote.ts';
import { waterFill } from './water-filling.ts';

/** A body that would be cut shorter than this is left out instead. */
const MIN_SHOWN_CHARS = 6;
const MIN_BUDGET_CHARS = QUOTE_START.length + MIN_SHOWN_CHARS;

/** The fraction of the budget that cuts may leave unused in total. Above it, words are cut too. */
const WASTE_PART = 0.01;

/** Characters read past the last one that can be shown: a cut looks at the next grapheme boundary. */
const MARGIN = 32;

/**
 * How many characters of a body can influence a text of `maxChars`: `assembleContext` gives the same payload for a body cut there as for the whole
 * one.
 */
export function bodyCharsRead(maxChars: number): number {
  return maxChars + MARGIN;
}

export type CutBody = {
  /** The body, or its beginning and `…`, or nothing. */
  text: string;
  truncated: boolean;
  cut: { at: number; boundary: Boundary } | null;
};

/**
 * Shares `budget`, in quoted characters, equally among the bodies that need it. What a cut at a word boundary leaves unused goes to the next
 * shortened body. What is left at the end goes to the last bodies, then to those without a share, so that the budget is filled.
 */
export function shareBodies(bodies: readonly string[], budget: number, maxChars: number): CutBody[] {
  const lengths = Float64Array.from(bodies, (body) => (body === '' ? 0 : body.length + BREAK_LENGTH));
  const measure = (i: number) => (bodies[i] ? quotedLength(bodies[i]) : 0);
  const { cap, sharing, spare } = waterFill(lengths, measure, budget, MIN_BUDGET_CHARS);
  let extra = spare;
  let unused = 0;
  const shared = bodies.map((body, i): CutBody => {
    if (i >= sharing) return { text: '', truncated: body !== '', cut: null };
    if ((lengths[i] as number) <= cap) return { text: body, truncated: false, cut: null };
    const bonus = extra > 0 ? 1 : 0;
    extra -= bonus;
    const allowed = cap + bonus + unused;
    const shown = cutBody(body, allowed);
    unused = allowed - shownLength(shown);
    return shown;
  });
  const waste = Math.floor(maxChars * WASTE_PART);
  for (let i = sharing - 1; i >= 0 && unused > waste; i--) {
    const before = shared[i] as CutBody;
    if (!before.truncated) continue;
    const allowed = shownLength(before) + unused;
    const again = cutBody(bodies[i] as string, allowed, waste);
    if (shownLength(again) <= shownLength(before)) continue;
    unused = allowed - shownLength(again);
    shared[i] = again;
  }
  // A very long grapheme can keep every sharing body from using its part: the first other body that can show something gets it.
  for (let i = sharing; i < bodies.length && unused > waste && unused >= MIN_BUDGET_CHARS; i++) {
    const shown = cutBody(bodies[i] as string, unused, waste);
    if (shown.text.length < MIN_SHOWN_CHARS) continue;
    unused -= shownLength(shown);
    shared[i] = shown;
  }
  return shared;
}

/** The length that a shown body takes in the text: its quotation, or 0 when it is left out. */
export function shownLength({ text }: CutBody): number {
  return text === '' ? 0 : quotedLength(text);
}

function cutBody(body: string, allowed: number, reach?: number): CutBody {
  if (fittingIndex(body, allowed) >= body.length) return { text: body, truncated: false, cut: null };
  const cut = cutAt(body, fittingIndex(body, allowed - ELLIPSIS.length), reach);
  if (cut.at === 0) return { text: '', truncated: true, cut: null };
  return { text: body.slice(0, cut.at) + ELLIPSIS, truncated: true, cut };
}
