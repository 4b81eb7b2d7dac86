import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { copyText } from '#app/_ui/action/copy-text.ts';
import { isComposing } from '#app/_ui/text/composing.ts';
import { onToast, type ToastMessage } from '#app/_ui/toast.ts';
import { saveText } from '#app/(cockpit)/produits/proposer/save-text.ts';

let told: ToastMessage[];
let stop: () => void;

beforeEach(() => {
  told = [];
  stop = onToast((message) => told.push(message));
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a text is on the clipboard by the press itself: Safari refuses it to whoever asks later', async () => {
  const writeText = vi.fn(async () => {});
  vi.stubGlobal('navigator', { clipboard: { writeText } });
  const copying = copyText('gen_01', 'Identifiant copié');
  expect(writeText).toHaveBeenCalledWith('gen_01');
  await copying;
  expect(told).toMatchObject([{ title: 'Identifiant copié', description: 'gen_01', tone: 'ok' }]);
});

test('without a clipboard the text is given to be copied by hand', async () => {
  vi.stubGlobal('navigator', {});
  await copyText('gen_01', 'Identifiant copié');
  expect(told).toMatchObject([{ tone: 'fail', description: 'Copiez-le d’ici\u00a0: gen_01' }]);
});

test('« Entrée » that ends a composition asks for nothing, in Safari either, which tells of it once it is over', () => {
  expect(isComposing({ isComposing: true, keyCode: 229 })).toBe(true);
  expect(isComposing({ isComposing: false, keyCode: 229 })).toBe(true);
  expect(isComposing({ isComposing: false, keyCode: 13 })).toBe(false);
});

test('a text that is saved can be read for a while after the press', () => {
  vi.useFakeTimers();
  const revoke = vi.spyOn(URL, 'revokeObjectURL');
  const link = { click: vi.fn() };
  vi.stubGlobal('document', { createElement: () => link });
  saveText('brand.patch', 'diff');
  expect(link).toMatchObject({ download: 'brand.patch', href: expect.stringMatching(/^blob:/) });
  expect(link.click).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(30_000);
  expect(revoke).not.toHaveBeenCalled();
  vi.advanceTimersByTime(30_000);
  expect(revoke).toHaveBeenCalledOnce();
  revoke.mockRestore();
});
