import { expect, test } from 'vitest';
import { enterKey } from '#app/_studio/composer/sending/enter-key.ts';

const press = (tagName: string, change: Partial<Parameters<typeof enterKey>[0]> = {}) =>
  enterKey({
    key: 'Enter',
    metaKey: false,
    ctrlKey: false,
    repeat: false,
    target: { tagName } as unknown as EventTarget,
    ...change,
  });

test('« Entrée » alone in a field or on a choice sends no request, which would be paid; on a button and in a text it does what it does', () => {
  expect(press('INPUT')).toBe('nothing');
  expect(press('INPUT', { repeat: true })).toBe('nothing');
  expect(['BUTTON', 'TEXTAREA', 'SELECT', 'SUMMARY'].map((tag) => press(tag))).toEqual([
    null,
    null,
    null,
    null,
  ]);
  expect(press('INPUT', { key: 'a', ctrlKey: true })).toBeNull();
  const file = { tagName: 'INPUT', type: 'file' } as unknown as EventTarget;
  expect(press('INPUT', { target: file })).toBeNull();
});

test('Ctrl or Command with « Entrée » sends once, however long it is held', () => {
  expect([press('INPUT', { ctrlKey: true }), press('TEXTAREA', { metaKey: true })]).toEqual(['send', 'send']);
  expect(press('TEXTAREA', { metaKey: true, repeat: true })).toBe('nothing');
});
