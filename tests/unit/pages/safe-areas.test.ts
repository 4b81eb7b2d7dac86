import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, ROOT), 'utf8');

/** Classes at an edge that are no fault. */
const APART = [
  // Veils and drop zones cover the screen and hold nothing to press; a tooltip follows a pointer, which phones do not have.
  'bg-veil',
  'bg-film',
  'pointer-events-none',
  'z-70',
  // Inside a scrolling element that keeps clear itself: the names of a table, the footer of a panel, lists on wide screens
  // only.
  'sticky left-2',
  'sticky bottom-0 -mx-5 -mb-5',
  'sticky top-20 max-h-[calc(100dvh-6rem)]',
];
const EDGE =
  /(?:^|[\s:])(?:fixed|sticky|send-bar)\b.*\b(?:inset(?:-[xy])?|top|right|bottom|left)-|sm:(?:bottom-0|inset-y-0)\b/;

/** The classes of elements at an edge of the screen that do not keep clear of what a phone covers there. */
const covered = (source: string) =>
  [...source.matchAll(/(?:className="|')([^"'\n]*)["']/g)]
    .map(([, classes]) => classes as string)
    // Elements that are fixed on wide screens only do not concern phones.
    .filter((classes) => EDGE.test(classes.replace(/\b(?:lg|xl):\S+/g, '')))
    .filter((classes) => !classes.includes('--safe-') && !APART.some((part) => classes.includes(part)));

test('the page lies under notch and home indicator, and reads what they take in one place', () => {
  expect(read('app/layout.tsx')).toContain("viewportFit: 'cover'");
  const sheet = read('app/globals.css');
  for (const side of ['top', 'right', 'bottom', 'left'])
    expect(sheet).toContain(`--safe-${side}: env(safe-area-inset-${side}, 0px);`);
  const elsewhere = globSync('app/**/*.{ts,tsx,css}', { cwd: ROOT }).filter(
    (file) => file !== 'app/globals.css' && read(file).includes('safe-area-inset'),
  );
  expect(elsewhere).toEqual([]);
});

test('what stays in sight at an edge keeps clear of them: bar, header, foot of the composer, choice, toasts, panels, file on the whole screen', () => {
  const told = globSync('app/**/*.tsx', { cwd: ROOT }).flatMap((file) =>
    covered(read(file)).map((classes) => `${file}: ${classes}`),
  );
  expect(told).toEqual([]);
});

test('what waits above the screen for the focus is out of sight however much the notch takes', () => {
  const waiting = globSync('app/**/*.tsx', { cwd: ROOT })
    .flatMap((file) => [...read(file).matchAll(/"(fixed [^"]*-translate-y-[^"]*)"/g)])
    .map(([, classes]) => classes as string);
  expect(waiting).toHaveLength(1);
  expect(waiting.filter((classes) => !/ -translate-y-\[[^\]]*--safe-top/.test(classes))).toEqual([]);
});

test('an edge that is not kept clear is found', () => {
  expect(covered('<nav className="fixed inset-x-0 bottom-0 flex" />')).toHaveLength(1);
  expect(covered('<nav className="sticky top-0 flex" />')).toHaveLength(1);
  expect(covered('<nav className="fixed inset-x-0 bottom-0 pb-(--safe-bottom)" />')).toEqual([]);
  expect(covered("const FOOT = 'max-sm:inset-x-0 max-sm:bottom-0';")).toHaveLength(1);
  expect(covered('<div className="lg:sticky lg:top-20" />')).toEqual([]);
  expect(covered('<div className="absolute inset-0" />')).toEqual([]);
});
