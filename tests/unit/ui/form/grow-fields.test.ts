import { parseHTML } from 'linkedom';
import { afterEach, expect, test, vi } from 'vitest';
import { growFields } from '#app/_ui/form/grow-fields.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A page with one field, whose text is `lines` lines of twenty pixels, in a browser with or without `field-sizing`. */
function pageOf({ supported }: { supported: boolean }) {
  const { document, Element } = parseHTML(
    '<html><body><textarea class="field-sizing-content"></textarea></body></html>',
  );
  const field = document.querySelector('textarea') as HTMLTextAreaElement;
  const style = { height: '' };
  const seen = { value: '', lines: 0 };
  const clientHeight = () => (style.height === '' ? 80 : Number.parseFloat(style.height) - 2);
  Object.defineProperties(field, {
    style: { value: style },
    value: { get: () => seen.value },
    clientHeight: { get: clientHeight },
    offsetHeight: { get: () => clientHeight() + 2 },
    scrollHeight: { get: () => Math.max(clientHeight(), seen.lines * 20) },
  });
  let changed: (changes: { target: unknown }[]) => void = () => {};
  vi.stubGlobal('document', document);
  vi.stubGlobal('Element', Element);
  vi.stubGlobal('CSS', { supports: () => supported });
  vi.stubGlobal(
    'MutationObserver',
    class {
      constructor(tell: typeof changed) {
        changed = tell;
      }
      observe() {}
      disconnect() {}
    },
  );
  const write = (lines: number) => {
    seen.lines = lines;
    seen.value = 'a\n'.repeat(lines);
  };
  const tell = () => changed([{ target: document.body }]);
  const type = (lines: number) => {
    write(lines);
    tell();
  };
  return { style, write, tell, type };
}

test('a field grows with its text where the browser does not do it by itself, and is small again once emptied', () => {
  const { style, write, tell, type } = pageOf({ supported: false });
  write(10);
  const stop = growFields();
  expect(style.height).toBe('202px');
  type(12);
  expect(style.height).toBe('242px');
  type(0);
  expect(style.height).toBe('');
  // Resized by hand, the field keeps its size.
  style.height = '120px';
  write(30);
  tell();
  expect(style.height).toBe('120px');
  stop();
});

test('elsewhere it is left to the browser', () => {
  const { style, write } = pageOf({ supported: true });
  write(30);
  growFields();
  expect(style.height).toBe('');
});
