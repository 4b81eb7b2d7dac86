import { parseHTML } from 'linkedom';
import { createElement, useState } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useRowFocus } from '#app/(cockpit)/espaces/[id]/_board/use-row-focus.ts';
import { until } from '#tests/setup/until.ts';

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

let root: Root;
let page: Element;
/** The element that has the focus. */
let active: Element;

beforeEach(() => {
  const window = parseHTML('<html><body><main></main><input name="title"></body></html>');
  vi.stubGlobal('window', window);
  vi.stubGlobal('document', window.document);
  vi.stubGlobal('HTMLElement', window.HTMLElement);
  active = window.document.body;
  Object.defineProperty(window.document, 'activeElement', { get: () => active });
  Object.defineProperty(window.HTMLElement.prototype, 'focus', {
    configurable: true,
    value(this: Element) {
      active = this;
    },
  });
  page = window.document.querySelector('main') as Element;
  root = createRoot(page);
});
afterEach(async () => {
  root.unmount();
  // The focus is checked once more within this time.
  await pause(450);
});
afterAll(() => vi.unstubAllGlobals());

const field = () => document.querySelector('input') as Element;
const hasFocus = (id: string) => active.getAttribute('data-row') === id;

let ask: (id: string) => void;
let waits: string | null;

function Board({ rows }: { rows: readonly string[] }) {
  const [focusId, setFocusId] = useState<string | null>(null);
  const [index, setIndex] = useState(new Map());
  if (index.size !== rows.length) setIndex(new Map(rows.map((id) => [id, {}])));
  useRowFocus(focusId, setFocusId, index);
  ask = setFocusId;
  waits = focusId;
  return rows.map((id) => createElement('a', { key: id, 'data-row': id }, id));
}

const draw = async (...rows: string[]) => {
  root.render(createElement(Board, { rows }));
  await until('the rows', () => page.querySelectorAll('[data-row]').length === rows.length);
};

describe('the row that an answer adds to the board', () => {
  it('has the focus once it is drawn', async () => {
    await draw('alpha');
    ask('beta');
    await until('the wait', () => waits === 'beta');
    await draw('alpha', 'beta');
    await until('the focus', () => hasFocus('beta') && waits === null);
  });

  it('leaves it to the field in which one types by then, and does not ask for it later', async () => {
    await draw('alpha');
    ask('beta');
    await until('the wait', () => waits === 'beta');
    active = field();
    await draw('alpha', 'beta');
    await until('the end of the wait', () => waits === null);
    expect(active).toBe(field());
  });

  it('leaves it to the dialog that was opened by then', async () => {
    await draw('alpha');
    ask('beta');
    await until('the wait', () => waits === 'beta');
    document.body.append(
      Object.assign(document.createElement('section'), { innerHTML: '<b data-panel></b>' }),
    );
    await draw('alpha', 'beta');
    await until('the end of the wait', () => waits === null);
    expect(hasFocus('beta')).toBe(false);
  });

  it('that is there already has it at once, out of the field of the panel that closes', async () => {
    await draw('alpha', 'beta');
    active = field();
    ask('beta');
    await until('the focus', () => hasFocus('beta'));
  });
});
