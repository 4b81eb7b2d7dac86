import { describe, expect, test } from 'vitest';
import { captionFile, captionsOf } from '#lib/studio/speech/captions.ts';
import { pronounce } from '#lib/studio/speech/pronounce.ts';
import { wordsOf, wordTimes } from '#lib/studio/speech/word-times.ts';

const RULES = [
  { written: 'Lumen', spoken: 'Lumène' },
  { written: 'Maison Lumen', spoken: 'mézon lumène' },
  { written: 'SAV', spoken: 'S A V' },
];

/** A tenth of a second for each character. */
const evenly = (text: string) => {
  const characters = [...text];
  return {
    characters,
    startsMs: characters.map((_, index) => index * 100),
    endsMs: characters.map((_, index) => (index + 1) * 100),
  };
};
const timesOf = (written: string, alignment = evenly(pronounce(written, RULES).text), durationMs = 60_000) =>
  wordTimes(written, pronounce(written, RULES), alignment, durationMs);

describe('a brand’s pronunciations', () => {
  test('replace whole words only, the longest first, letter case and all', () => {
    expect(pronounce('Chez Maison Lumen, Lumen et LUMEN. Lumenier, l’SAV !', RULES)).toMatchObject({
      text: 'Chez mézon lumène, Lumène et LUMEN. Lumenier, l’S A V !',
      replaced: 3,
    });
    expect(pronounce('Sans marque.', RULES)).toMatchObject({ text: 'Sans marque.', replaced: 0 });
    expect(pronounce('Bonjour').text).toBe('Bonjour');
  });

  test('are found with either apostrophe, in the text and in the registry', () => {
    const rules = [
      { written: 'L’Ombre', spoken: 'lonbre' },
      { written: "Brin d'Or", spoken: 'brindor' },
    ];
    expect(pronounce("L'Ombre et L’Ombre, Brin d'Or et Brin d’Or", rules)).toMatchObject({
      text: 'lonbre et lonbre, brindor et brindor',
      replaced: 4,
    });
  });

  test('leave each written word the time at which it is heard', () => {
    expect(timesOf('Le SAV répond')).toEqual([0, 200, 300, 800, 900, 1_500]);
    expect(timesOf('Maison Lumen')?.length).toBe(4);
  });
});

describe('times that are not of the text', () => {
  const said = 'Bonjour à tous 🙂.';
  const right = evenly(said);
  test.each([
    ['other characters', { ...right, characters: [...'Bonsoir à tous 🙂.'] }],
    ['a list cut short', { ...right, endsMs: right.endsMs.slice(1) }],
    ['times that run back', { ...right, startsMs: right.startsMs.toReversed() }],
    ['not numbers', { ...right, startsMs: right.startsMs.map(() => Number.NaN) }],
  ])('%s: no captions rather than wrong ones', (_, alignment) => {
    expect(timesOf(said, alignment)).toBeNull();
  });

  test('past the end of the sound: none; a sign of two units counts once', () => {
    expect(timesOf(said, right, 500)).toBeNull();
    expect(timesOf(said)).toEqual([0, 700, 800, 900, 1_000, 1_400, 1_500, 1_700]);
  });
});

describe('captions', () => {
  const captions = (text: string) => captionsOf(text, timesOf(text) ?? []);

  test('end with their sentence, never show more than two lines of 42 signs, never overlap', () => {
    const text = `${'Une bougie coulée à la main, dans un atelier de Grasse, et rien d’autre. '.repeat(6)}Fin\u00a0!`;
    const list = captions(text);
    expect(list.flatMap(({ lines }) => lines.join(' ').split(' ')).join(' ')).toBe(
      wordsOf(text)
        .map(({ word }) => word)
        .join(' '),
    );
    for (const [index, { startMs, endMs, lines }] of list.entries()) {
      expect(lines.length).toBeLessThanOrEqual(2);
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(42);
      expect(endMs).toBeGreaterThan(startMs);
      expect(endMs).toBeLessThanOrEqual(list[index + 1]?.startMs ?? Number.POSITIVE_INFINITY);
    }
    expect(list.at(-1)?.lines).toEqual(['Fin\u00a0!']);
  });

  test('are written as SRT and as WebVTT', () => {
    const list = captions('Le <b> & moi. Après.');
    expect(captionFile(list, 'srt')).toBe(
      '1\r\n00:00:00,000 --> 00:00:01,300\r\nLe <b> & moi.\r\n\r\n2\r\n00:00:01,400 --> 00:00:02,000\r\nAprès.\r\n',
    );
    expect(captionFile(list, 'vtt')).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:00:01.300\nLe &lt;b&gt; &amp; moi.\n\n00:00:01.400 --> 00:00:02.000\nAprès.\n',
    );
    const late = captionFile([{ startMs: 3_723_004, endMs: 3_724_000, lines: ['x'] }], 'vtt');
    expect(late).toContain('01:02:03.004 --> 01:02:04.000');
  });

  test('whose times are of another text are none', () => {
    expect(captionsOf('Un deux', [0, 1])).toEqual([]);
  });
});
