import { expect, test } from 'vitest';
import { restWords, usesWords } from '#app/(cockpit)/avatars/use-words.ts';

test('the uses of an avatar are counted as far as they are known, and no further', () => {
  expect(usesWords(1)).toBe('1\u00a0génération');
  expect(restWords(3, 5)).toBeNull();
  expect(restWords(6, 5)).toBe('et 1\u00a0autre, plus ancienne');
  expect(restWords(99, 5)).toBe('et 94\u00a0autres, plus anciennes');
  expect(usesWords(100)).toBe('100 générations et plus');
  expect(restWords(100, 5)).toBe('et d’autres, plus anciennes');
});
