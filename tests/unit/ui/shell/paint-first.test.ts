import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { paintFirst } from '#app/_ui/shell/paint-first.ts';

let events: Map<string, () => void>;
let frames: (() => void)[];
let painted: ((list: object) => void) | undefined;

beforeEach(() => {
  vi.useFakeTimers();
  events = new Map();
  frames = [];
  painted = undefined;
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => frames.push(run));
  vi.stubGlobal(
    'PerformanceObserver',
    class {
      constructor(told: (list: object) => void) {
        painted = told;
      }
      observe() {}
    },
  );
});
afterEach(() => {
  globalThis.__next_s = undefined;
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A document in this state, and whether Next’s wait before React is over. */
function open(visibilityState: 'visible' | 'hidden', readyState = 'loading', main: object | null = {}) {
  const addEventListener = (type: string, listener: () => void) => events.set(type, listener);
  vi.stubGlobal('document', { visibilityState, readyState, addEventListener, querySelector: () => main });
  paintFirst();
  const seen = { started: false };
  void globalThis.__next_s?.reduce().then(() => {
    seen.started = true;
  });
  return seen;
}
const tell = (name: string) =>
  painted?.({ getEntriesByName: (asked: string) => (asked === name ? [{ name }] : []) });
const aMoment = () => vi.advanceTimersByTimeAsync(1);

it('React waits for the whole document, for what is drawn of it, and for the frame after that', async () => {
  const seen = open('visible');
  await aMoment();
  expect([globalThis.__next_s?.length, painted, seen.started]).toEqual([1, undefined, false]);
  events.get('DOMContentLoaded')?.();
  await aMoment();
  tell('first-paint');
  await aMoment();
  expect([frames.length, seen.started]).toEqual([0, false]);
  tell('first-contentful-paint');
  await aMoment();
  expect([frames.length, seen.started]).toEqual([1, false]);
  frames[0]?.();
  await aMoment();
  expect(seen.started).toBe(true);
});

it('React starts at once in a tab that is hidden, or becomes so, since nothing is drawn there', async () => {
  open('hidden');
  expect(globalThis.__next_s).toBeUndefined();
  const seen = open('visible');
  await aMoment();
  expect(seen.started).toBe(false);
  events.get('visibilitychange')?.();
  await aMoment();
  expect(seen.started).toBe(true);
});

it('React starts at once on a document that holds nothing to draw, once it is whole', async () => {
  const seen = open('visible', 'loading', null);
  await aMoment();
  expect(seen.started).toBe(false);
  events.get('DOMContentLoaded')?.();
  await aMoment();
  expect(seen.started).toBe(true);
});

it('React starts after three seconds in a browser that does not say what it has drawn', async () => {
  const seen = open('visible', 'complete');
  await vi.advanceTimersByTimeAsync(2_998);
  expect(seen.started).toBe(false);
  await vi.advanceTimersByTimeAsync(2);
  expect(seen.started).toBe(true);
});
