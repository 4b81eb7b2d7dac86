import { parseHTML } from 'linkedom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { holdStrayDrops } from '#app/_ui/overlay/stray-drops.ts';

const { document, Element, HTMLElement } = parseHTML(
  '<html><body><main></main><textarea></textarea><input type="file"></body></html>',
);
let page: EventTarget;
let stop: () => void;

beforeEach(() => {
  page = new EventTarget();
  vi.stubGlobal('window', page);
  vi.stubGlobal('Element', Element);
  vi.stubGlobal('HTMLElement', HTMLElement);
  stop = holdStrayDrops();
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

/** Whether the browser is prevented from opening what is dropped there. */
function isHeld(on: string, types: string[]): boolean {
  const event = new Event('drop', { cancelable: true });
  Object.defineProperty(event, 'target', { value: document.querySelector(on) });
  Object.assign(event, { dataTransfer: { types, dropEffect: 'copy' } });
  page.dispatchEvent(event);
  return event.defaultPrevented;
}

test('files, an address or a text that nothing takes do not take the place of the page: Firefox searches for the text', () => {
  expect(isHeld('main', ['Files'])).toBe(true);
  expect(isHeld('main', ['text/uri-list', 'text/plain'])).toBe(true);
  expect(isHeld('main', ['text/plain', 'text/html'])).toBe(true);
});

test('a field takes what is its own', () => {
  expect(isHeld('textarea', ['text/plain'])).toBe(false);
  expect(isHeld('textarea', ['text/uri-list', 'text/plain'])).toBe(false);
  expect(isHeld('textarea', ['Files'])).toBe(true);
  expect(isHeld('input', ['Files'])).toBe(false);
});
