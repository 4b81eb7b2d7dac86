import { describe, expect, test } from 'vitest';
import { partOf } from '#lib/brain/text/part-of.ts';
import { visiblePayload } from '#lib/mcp/protocol/visible-payload.ts';

/** All parts of a text, in order, of at most `maxChars` code units each. */
function partsOf(text: string, maxChars: number): string[] {
  const parts: string[] = [];
  for (let from: number | null = 0; from !== null; ) {
    const part = partOf(text, from, maxChars);
    expect(part.bodyChars).toBe(text.length);
    parts.push(part.body);
    from = part.nextFrom;
  }
  return parts;
}

describe('what an assistant is shown of a text', () => {
  test('is without what nobody sees, at every depth of an answer, and with what joins letters and emoji', () => {
    const payload = {
      title: 'La\u200b Rive\u202e',
      parent: { title: 'A\u{e0041}' },
      children: ['می\u200cخواهم', '👩\u200d🚀', '\u200c'],
      cu: 1,
      file: null,
    };
    expect(visiblePayload(payload)).toEqual({
      title: 'La Rive',
      parent: { title: 'A' },
      children: ['می\u200cخواهم', '👩\u200d🚀', ''],
      cu: 1,
      file: null,
    });
  });

  test('keeps in its parts what joins two characters, though a part ends there: together they are the whole of what is shown', () => {
    for (const piece of ['می\u200cخواهم', 'क्\u200cष', '👩\u200d👩\u200d👧', '☀\ufe0f', 'lampe\u200b '])
      for (const maxChars of [200, 201, 202, 203]) {
        const { body } = visiblePayload({ body: piece.repeat(200) });
        const parts = partsOf(body, maxChars);
        expect(parts.length).toBeGreaterThan(1);
        expect(parts.join(''), `${piece} by ${maxChars}`).toBe(body);
        for (const part of parts)
          expect([part.length <= maxChars, part.isWellFormed()]).toEqual([true, true]);
      }
  });

  test('is counted as it is shown: where a part ends is where the next one begins, whatever was left out before it', () => {
    const { body } = visiblePayload({ body: `${'\u200b'.repeat(500)}${'Une lampe posée là. '.repeat(40)}` });
    expect(body).toBe('Une lampe posée là. '.repeat(40));
    expect(partsOf(body, 300).join('')).toBe(body);
    expect(partOf(body, 5_000, 300)).toEqual({ body: '', bodyChars: body.length, nextFrom: null });
  });
});
