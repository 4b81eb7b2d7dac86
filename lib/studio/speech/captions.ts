import { wordsOf } from './word-times.ts';

export const CAPTION_FORMATS = ['srt', 'vtt'] as const;
export type CaptionFormat = (typeof CAPTION_FORMATS)[number];

/** What one caption shows, and when, in milliseconds. */
type Caption = { startMs: number; endMs: number; lines: string[] };

/** Two lines of 42 signs, seven seconds: what one reads at a glance. */
const LIMITS = { line: 42, lines: 2, ms: 7_000, pauseMs: 700 } as const;

type Word = { word: string; startMs: number; endMs: number };

/**
 * The captions of a text whose words have these times (start, end, start, end…): a new one after the end of a sentence, a pause, or when two
 * lines are full. None overlaps the next. Empty when the times are not those of the text.
 */
export function captionsOf(text: string, times: readonly number[]): Caption[] {
  const words = wordsOf(text);
  if (times.length !== words.length * 2) return [];
  const groups: Word[][] = [];
  let group: Word[] = [];
  for (const [index, { word }] of words.entries()) {
    const next = { word, startMs: times[2 * index] as number, endMs: times[2 * index + 1] as number };
    const last = group.at(-1);
    const isNew =
      last !== undefined &&
      (/[.!?…]["»”’)]*$/.test(last.word) ||
        next.startMs - last.endMs > LIMITS.pauseMs ||
        next.endMs - (group[0] as Word).startMs > LIMITS.ms ||
        linesOf([...group, next]).length > LIMITS.lines);
    // French spaces its high punctuation: a sign alone stays with its word.
    if (isNew && !/^[:;!?»]+$/.test(word)) {
      groups.push(group);
      group = [];
    }
    group.push(next);
  }
  if (group.length > 0) groups.push(group);
  return groups.map((one, index) => {
    const startMs = (one[0] as Word).startMs;
    const endMs = (one.at(-1) as Word).endMs;
    const nextMs = groups[index + 1]?.[0]?.startMs ?? Number.POSITIVE_INFINITY;
    return {
      startMs,
      endMs: Math.min(Math.max(endMs, startMs + 1), Math.max(nextMs, startMs + 1)),
      lines: linesOf(one),
    };
  });
}

function linesOf(words: readonly Word[]): string[] {
  const lines: string[] = [];
  for (const { word } of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= LIMITS.line)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** The captions as a file. SRT: numbered, times with a comma. VTT: its header, its three signs escaped. */
export function captionFile(captions: readonly Caption[], format: CaptionFormat): string {
  if (format === 'srt')
    return captions
      .map(
        ({ startMs, endMs, lines }, index) =>
          `${index + 1}\r\n${clock(startMs, ',')} --> ${clock(endMs, ',')}\r\n${lines.join('\r\n')}\r\n`,
      )
      .join('\r\n');
  const escaped = (line: string) =>
    line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const cues = captions.map(
    ({ startMs, endMs, lines }) =>
      `${clock(startMs, '.')} --> ${clock(endMs, '.')}\n${lines.map(escaped).join('\n')}\n`,
  );
  return ['WEBVTT\n', ...cues].join('\n');
}

function clock(atMs: number, mark: ',' | '.'): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const ms = Math.round(atMs);
  const [hours, minutes, seconds] = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1_000) % 60].map(Math.floor);
  return `${two(hours ?? 0)}:${two(minutes ?? 0)}:${two(seconds ?? 0)}${mark}${String(ms % 1_000).padStart(3, '0')}`;
}
