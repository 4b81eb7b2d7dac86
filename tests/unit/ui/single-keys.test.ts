import { parseHTML } from 'linkedom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { areSingleKeysOn, holdSingleKeys, setSingleKeys } from '#app/_ui/single-keys.ts';

const { document, HTMLElement } = parseHTML(
  '<html><body><main></main><textarea></textarea><div role="menu"><a></a></div></body></html>',
);
let page: EventTarget;
let stop: () => void;

beforeEach(() => {
  page = new EventTarget();
  const kept = new Map<string, string>();
  vi.stubGlobal('window', page);
  vi.stubGlobal('HTMLElement', HTMLElement);
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name),
  });
  stop = holdSingleKeys();
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

/** Whether a key pressed there is stopped before the listeners of the page. */
function isHeld(key: string, on = 'main', held: { ctrlKey?: true; metaKey?: true; altKey?: true } = {}) {
  const event = new Event('keydown');
  Object.defineProperty(event, 'target', { value: document.querySelector(on) });
  const stopPropagation = vi.fn<() => void>();
  Object.assign(event, { key, ctrlKey: false, metaKey: false, altKey: false, ...held, stopPropagation });
  page.dispatchEvent(event);
  return stopPropagation.mock.calls.length > 0;
}

test('keys of one sign answer until they are turned off, then a letter pressed alone does nothing', () => {
  expect(areSingleKeysOn()).toBe(true);
  for (const key of ['/', '?', 'g', 'J', 'a', '0']) expect(isHeld(key)).toBe(false);
  setSingleKeys(false);
  expect(areSingleKeysOn()).toBe(false);
  for (const key of ['/', '?', 'g', 'J', 'a', '0']) expect(isHeld(key)).toBe(true);
  setSingleKeys(true);
  expect(isHeld('j')).toBe(false);
});

test('turned off, they leave fields, menus, Space, keys with a name and keys held with another alone', () => {
  setSingleKeys(false);
  expect(isHeld('j', 'textarea')).toBe(false);
  expect(isHeld('j', '[role=menu] a')).toBe(false);
  for (const key of [' ', 'Enter', 'Escape', 'ArrowDown', 'Delete', 'F6']) expect(isHeld(key)).toBe(false);
  expect(isHeld('k', 'main', { ctrlKey: true })).toBe(false);
  expect(isHeld('k', 'main', { metaKey: true })).toBe(false);
  expect(isHeld('j', 'main', { altKey: true })).toBe(false);
});

test('a browser that keeps nothing turns them off all the same, for as long as the page stands', () => {
  const refuse = () => {
    throw new Error('denied');
  };
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, removeItem: refuse });
  setSingleKeys(false);
  expect(isHeld('j')).toBe(true);
  setSingleKeys(true);
  expect(isHeld('j')).toBe(false);
});
