import type { VoiceAlignment } from '#lib/providers/ports.ts';
import type { SpokenText } from './pronounce.ts';

/** A provider's last character may end a little after the measured sound. */
const SLACK_MS = 1_000;

/** The words of a text, in order, with the place where each begins: what every list of times is of. A sign after a no-break space is of its word. */
export function wordsOf(text: string): { word: string; at: number }[] {
  return [...text.matchAll(/[^ \t\n\v\f\r\u2028\u2029]+/g)].map((match) => ({
    word: match[0],
    at: match.index,
  }));
}

/**
 * When each word of the written text is said: start and end of the first, of the second…, in milliseconds. Null when the alignment is not
 * one of what was said (other characters, times that run back or past the sound): a voice without captions is better than wrong ones.
 */
export function wordTimes(
  written: string,
  spoken: SpokenText,
  alignment: VoiceAlignment,
  durationMs: number,
): number[] | null {
  const { characters, startsMs, endsMs } = alignment;
  if (characters.join('') !== spoken.text) return null;
  if (characters.length !== startsMs.length || characters.length !== endsMs.length) return null;
  const startOf = new Map<number, number>();
  const endOf = new Map<number, number>();
  let unit = 0;
  let before = 0;
  for (const [index, character] of characters.entries()) {
    const [start, end] = [startsMs[index] as number, endsMs[index] as number];
    if (!(start >= before && end >= start && end <= durationMs + SLACK_MS)) return null;
    before = start;
    for (let step = 0; step < character.length; step += 1, unit += 1) {
      const place = spoken.places[unit] as number;
      if (!startOf.has(place)) startOf.set(place, start);
      endOf.set(place, end);
    }
  }
  const times: number[] = [];
  for (const { word, at } of wordsOf(written)) {
    const places = Array.from({ length: word.length }, (_, index) => at + index);
    const start = places.map((place) => startOf.get(place)).find((ms) => ms !== undefined);
    const end = places.map((place) => endOf.get(place)).findLast((ms) => ms !== undefined);
    if (start === undefined || end === undefined) return null;
    times.push(Math.round(start), Math.min(Math.round(end), Math.round(durationMs)));
  }
  return times;
}
