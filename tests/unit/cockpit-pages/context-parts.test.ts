import { expect, it } from 'vitest';
import { partsOf, type ShownMemory } from '#app/(cockpit)/contexte/parts.ts';
import { previewWords, shownMemories } from '#app/(cockpit)/contexte/shown.ts';
import type { ContextExplanation } from '#lib/brain/context/types.ts';

const MAX_CHARS = 100_000;

/** Memories in reading order: some whole, some cut, some omitted; every tenth is long enough for a slice. */
function context(memories: number): ContextExplanation[] {
  let at = 0;
  return Array.from({ length: memories }, (_, index): ContextExplanation => {
    const inclusion = (['shortened', 'omitted', 'whole'] as const)[index % 3] ?? 'whole';
    const chars = index % 10 === 0 ? 200 : 20;
    const range = inclusion === 'omitted' ? null : { start: at, bodyStart: at, end: at + chars };
    at = range?.end ?? at;
    return {
      id: `mem_${index}`,
      role: 'IDENTITY',
      title: `Mémoire ${index}`,
      inclusion,
      range,
      share: range ? chars / MAX_CHARS : 0,
      cut: inclusion === 'shortened' ? { at: 10, boundary: 'word' } : null,
    };
  });
}

const ids = (memories: readonly { id: string }[]) => memories.map(({ id }) => id);

it('of two thousand Memories the browser is told of those that it draws, and draws the same as of all', () => {
  const all = context(2_000);
  const told = shownMemories(all, MAX_CHARS);
  expect(told.length).toBeLessThan(400);
  const { slices, named, marked } = partsOf(told, MAX_CHARS);
  expect(ids(slices)).toEqual(ids(all.filter(({ share }) => share >= 0.002)));
  const cut = all.filter(({ inclusion }) => inclusion !== 'whole');
  expect(ids(named)).toEqual(ids(cut.slice(0, 60)));
  expect(marked.map(({ id, end }) => [id, end])).toEqual(
    cut.flatMap(({ id, range }) => (range ? [[id, range.end]] : [])).slice(0, 120),
  );
});

it('what is counted of a context is counted of all its Memories, whichever are drawn', () => {
  const plain = (words: string | null) => words?.replace(/[\u00a0\u202f]/g, ' ');
  const words = previewWords({ context: 'a'.repeat(50_000), maxChars: MAX_CHARS }, context(2_000));
  expect(plain(words.length)).toBe('50 000 sur 100 000 caractères · 50 %');
  expect(plain(words.cut)).toBe('1 334 mémoires coupées ou omises');
  expect(plain(words.others)).toBe('et 1 274 autres.');
  const whole: ShownMemory[] = shownMemories(context(3).slice(2), MAX_CHARS);
  expect(whole).toEqual([]);
  expect(previewWords({ context: '', maxChars: MAX_CHARS }, context(3).slice(2)).cut).toBeNull();
});
