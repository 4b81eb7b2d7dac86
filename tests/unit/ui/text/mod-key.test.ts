import { afterEach, expect, test, vi } from 'vitest';
import { isModPressed } from '#app/_ui/text/mod-key.tsx';

const CTRL = { ctrlKey: true, metaKey: false };
const COMMAND = { ctrlKey: false, metaKey: true };

afterEach(() => vi.unstubAllGlobals());

test('shortcuts are pressed with Ctrl, and with Command alone on a Mac, where Ctrl edits the text', () => {
  vi.stubGlobal('navigator', { platform: 'Win32' });
  expect([CTRL, COMMAND].map(isModPressed)).toEqual([true, false]);
  vi.stubGlobal('navigator', { platform: 'MacIntel' });
  expect([CTRL, COMMAND].map(isModPressed)).toEqual([false, true]);
});
