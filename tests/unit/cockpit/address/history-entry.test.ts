import { afterEach, expect, test, vi } from 'vitest';
import { countEntries, entryNow } from '#app/_cockpit/address/history-entry.ts';
import { writeQuery } from '#app/_cockpit/address/use-own-address.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A window whose history is full, so that its length does not change. */
function pageOf(own: object = {}) {
  const history = {
    length: 50,
    state: null,
    pushState: vi.fn(),
    replaceState: vi.fn(),
  };
  const page = Object.assign(new EventTarget(), { history, location: { pathname: '/creer' } }, own);
  vi.stubGlobal('window', page);
  return page;
}

test('without names of its entries, a browser has another one after a link, and after « back », whatever its length says', () => {
  const page = pageOf();
  const { pushState } = page.history;
  countEntries();
  const entries = [entryNow()];
  page.history.pushState({ tree: 1 }, '', '/creer?type=video');
  expect(pushState).toHaveBeenCalledWith({ tree: 1 }, '', '/creer?type=video');
  entries.push(entryNow());
  page.dispatchEvent(new Event('popstate'));
  entries.push(entryNow());
  page.history.pushState(null, '', '/creer?type=voice');
  entries.push(entryNow());
  expect(new Set(entries).size).toBe(4);
  // The same entry, written again.
  page.history.replaceState(null, '', '/creer?type=voice');
  expect(entryNow()).toBe(entries.at(-1));
});

test('where they have names, these are taken, and nothing stands before the router', () => {
  const page = pageOf({ navigation: { currentEntry: { key: 'a1' } } });
  const { pushState } = page.history;
  countEntries();
  expect(page.history.pushState).toBe(pushState);
  expect(entryNow()).toBe('a1');
});

test('a browser that refuses one more write of the address ends no page', () => {
  const page = pageOf();
  page.history.replaceState.mockImplementation(() => {
    throw new DOMException('Attempt to use history.replaceState() more than 100 times', 'SecurityError');
  });
  expect(() => writeQuery(new URLSearchParams({ type: 'video' }))).not.toThrow();
  expect(page.history.replaceState).toHaveBeenCalledWith(null, '', '/creer?type=video');
});
