import { parseHTML } from 'linkedom';
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime.js';
import {
  PathnameContext,
  SearchParamsContext,
} from 'next/dist/shared/lib/hooks-client-context.shared-runtime.js';
import { createElement, type ReactElement, startTransition, useLayoutEffect } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useAddress } from '#app/_cockpit/address/use-address.ts';
import { useTyped } from '#app/_cockpit/use-typed.ts';
import { useOpenHere } from '#app/_ui/shell/use-open-here.ts';
import { until } from '#tests/setup/until.ts';

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const router = { push: vi.fn(), replace: vi.fn() };
let root: Root;
let page: Element;

beforeEach(() => {
  const window = parseHTML('<html><body><main></main></body></html>');
  vi.stubGlobal('window', window);
  vi.stubGlobal('document', window.document);
  vi.stubGlobal('navigator', { onLine: true });
  page = window.document.querySelector('main') as Element;
  root = createRoot(page);
  router.replace.mockReset();
});
afterEach(async () => {
  root.unmount();
  await pause(10);
});
afterAll(() => vi.unstubAllGlobals());

/** Renders an element at an address, as the router does. */
function draw(address: string, element: ReactElement): void {
  const [path = '', query = ''] = address.split('?');
  const searched = createElement(SearchParamsContext, { value: new URLSearchParams(query) }, element);
  const at = createElement(PathnameContext, { value: path }, searched);
  startTransition(() => root.render(createElement(AppRouterContext, { value: router as never }, at)));
}

const shows = (words: string) => until(words, () => page.textContent === words);

/** What a user does right after a rendering, before the effects that follow it. */
type Press<Give> = { press?: (give: Give) => void };

function PhoneSheet({ press }: Press<(open: boolean) => void>) {
  const [open, setOpen] = useOpenHere();
  useLayoutEffect(() => press?.(setOpen), [press, setOpen]);
  return open ? 'ouverte' : 'fermée';
}

function Words({ asked, press }: { asked: string } & Press<(text: string) => void>) {
  const { text, setText } = useTyped(asked, () => {});
  useLayoutEffect(() => press?.(setText), [press, setText]);
  return text;
}

function Filters({ press }: Press<ReturnType<typeof useAddress>['ask']>) {
  const { ask, search } = useAddress();
  useLayoutEffect(() => press?.(ask), [press, ask]);
  return `${search}`;
}

describe('what is pressed in the very moment in which a page arrives', () => {
  it('opens the sheet of the phones there; arriving closes it, a filter of the same page too', async () => {
    draw('/espaces', createElement(PhoneSheet));
    await shows('fermée');
    let isPressed = false;
    const press = (setOpen: (open: boolean) => void) => {
      setOpen(true);
      isPressed = true;
    };
    draw('/journal', createElement(PhoneSheet, { press }));
    await until('the press', () => isPressed);
    await pause(50);
    expect(page.textContent).toBe('ouverte');
    draw('/journal?review=to-review', createElement(PhoneSheet));
    await shows('fermée');
  });

  it('is typed into the field that follows its address, and stays', async () => {
    draw('/recherche', createElement(Words, { asked: 'cire' }));
    await shows('cire');
    draw('/recherche', createElement(Words, { asked: 'lampe', press: (type) => type('lampes') }));
    await until('the address', () => page.textContent !== 'cire');
    await pause(50);
    expect(page.textContent).toBe('lampes');
  });

  it('filters the page that came, not the one before it', async () => {
    draw('/recherche?q=cire', createElement(Filters));
    await shows('q=cire');
    draw('/recherche?pilier=VOICE', createElement(Filters, { press: (ask) => ask({ q: 'lampe' }) }));
    await until('the press', () => router.replace.mock.calls.length > 0);
    expect(router.replace.mock.calls).toEqual([['/recherche?pilier=VOICE&q=lampe', { scroll: false }]]);
  });
});
