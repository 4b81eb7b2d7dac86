import { parseHTML } from 'linkedom';
import { createElement } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { DayInput } from '#app/_ui/form/day-input.tsx';
import { ignoredNote } from '#app/(cockpit)/audit/filters.ts';
import { until } from '#tests/setup/until.ts';

let root: Root | undefined;
afterEach(async () => {
  root?.unmount();
  root = undefined;
  // The document is there until React is done with it.
  await new Promise((resolve) => setTimeout(resolve, 10));
});
afterAll(() => vi.unstubAllGlobals());

test('a date that does not exist is told as that when its field is left, and takes no filter away', async () => {
  const window = parseHTML('<html><body><main></main></body></html>');
  vi.stubGlobal('window', window);
  vi.stubGlobal('document', window.document);
  const page = window.document.querySelector('main') as Element;
  const given: string[] = [];
  root = createRoot(page);
  root.render(createElement(DayInput, { value: '2026-01-01', onDay: (day: string) => void given.push(day) }));
  await until('the field', () => page.querySelector('input') !== null);
  const field = page.querySelector('input') as HTMLInputElement;
  /** As a browser tells of « 31/02/2026 »: no value, and a field that is not empty. */
  const leave = (value: string, badInput: boolean) => {
    Object.defineProperties(field, {
      value: { value, configurable: true, writable: true },
      validity: { value: { badInput }, configurable: true },
    });
    field.dispatchEvent(new window.Event('focusout', { bubbles: true }));
  };
  leave('', true);
  await until('the sentence', () => /Cette date est incomplète ou n’existe pas/.test(page.textContent ?? ''));
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(given).toEqual([]);
  leave('2026-02-28', false);
  await until('no sentence', () => page.textContent === '');
  expect(given).toEqual(['2026-02-28']);
});

test('a day of the audit’s address that is not in the calendar is named, as one of the journal is', () => {
  expect(ignoredNote({ du: '2026-02-28', au: '2026-03-01' })).toBeNull();
  expect(ignoredNote({ du: '31/02/2026', au: '2026-02-31', action: 'rien' })).toMatch(
    /^Des filtres .*: action, date de début, date de fin\.$/,
  );
});
