import { parseHTML } from 'linkedom';
import { type ComponentType, createElement, useState } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { renderToReadableStream } from 'react-dom/server';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { latePart } from '#app/_ui/late-part.tsx';
import { lazyPart, missing } from '#app/_ui/lazy-part.ts';
import { onToast, type ToastMessage } from '#app/_ui/toast.ts';
import { until } from '#tests/setup/until.ts';

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A script that cannot be loaded, and what the bundler's runtime throws for it. */
const SCRIPT = '/_next/static/chunks/0a1b2c.js';
const gone = () =>
  Promise.reject(
    Object.assign(new Error(`Failed to load chunk ${SCRIPT} from module 7`), { name: 'ChunkLoadError' }),
  );

let root: Root;
let page: Element;
/** The element that has the focus; the body once it is gone. */
let active: Element;
let said: ToastMessage[];
let hear: () => void;
/** The status with which the service answers for the script itself. */
let status: number;
const asked = vi.fn(async (_address: string, _init?: RequestInit) => new Response(null, { status }));

beforeEach(() => {
  const window = parseHTML('<html><body><main></main></body></html>');
  const { body } = window.document;
  active = body;
  Object.defineProperty(window.document, 'activeElement', {
    get: () => (active.isConnected ? active : body),
  });
  vi.stubGlobal('window', Object.assign(window, { location: { pathname: '/creer' } }));
  vi.stubGlobal('document', window.document);
  vi.stubGlobal('requestAnimationFrame', setTimeout);
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('fetch', asked);
  asked.mockClear();
  status = 404;
  page = window.document.querySelector('main') as Element;
  root = createRoot(page);
  missing.load = () => import('#app/_ui/state/missing-part.tsx');
  said = [];
  hear = onToast((message) => said.push(message));
});
afterEach(async () => {
  hear();
  root.unmount();
  await pause(10);
});
afterAll(() => vi.unstubAllGlobals());

const draw = (part: ComponentType) =>
  root.render(createElement('form', null, createElement('input', { name: 'title' }), createElement(part)));
const words = () => page.textContent ?? '';
const button = (label: string) =>
  [...page.querySelectorAll('button')].find((one) => one.textContent === label);
function press(label: string): void {
  const pressed = button(label) as unknown as Record<string, { onClick: () => void }>;
  const key = Object.keys(pressed).find((name) => name.startsWith('__reactProps')) ?? '';
  pressed[key]?.onClick();
}

it('a part that the service has no more says so in its place, in the page with what was typed there', async () => {
  draw(lazyPart(gone, 'Chargement…'));
  await until('its words', () => words().includes('Atelier a changé depuis que cette page est ouverte'));
  expect(asked.mock.calls).toEqual([[SCRIPT, { method: 'HEAD', cache: 'no-store' }]]);
  expect(page.querySelector('input[name=title]')).not.toBeNull();
  expect([button('Recharger la page'), button('Réessayer')]).toEqual([expect.anything(), undefined]);
  expect(said).toEqual([]);
});

it('a part that the network lost is asked for again by a press, and drawn', async () => {
  status = 200;
  let tries = 0;
  draw(lazyPart(() => (++tries === 1 ? gone() : Promise.resolve({ default: () => 'La référence' })), '…'));
  await until('its words', () => words().includes('Cette partie de la page n’est pas arrivée'));
  press('Réessayer');
  await until('the part', () => words() === 'La référence');
  expect(tries).toBe(2);
});

it('a press that asks for a part again hands the focus on, since its button goes', async () => {
  // A component library that another file loaded may have made the property of the prototype read-only.
  Object.defineProperty(page, 'focus', { configurable: true, value: () => (active = page) });
  status = 200;
  let tries = 0;
  draw(lazyPart(() => (++tries === 1 ? gone() : Promise.resolve({ default: () => 'La référence' })), '…'));
  await until('its button', () => button('Réessayer'));
  active = button('Réessayer') as Element;
  press('Réessayer');
  await until('the part', () => words() === 'La référence');
  await until('the focus', () => active === page);
});

it('a dialog that the service has no more is left, and a toast says so; the next press asks for it again', async () => {
  let tries = 0;
  const load = () => (++tries === 1 ? gone() : Promise.resolve({ default: () => 'Le dialogue' }));
  const Dialog = lazyPart(
    load as () => Promise<{
      default: (props: { open: boolean; onOpenChange: (open: boolean) => void }) => string;
    }>,
    null,
    ({ onOpenChange }) => onOpenChange(false),
  );
  let show = (_open: boolean) => {};
  let isShown = false;
  draw(() => {
    const [open, setOpen] = useState(true);
    show = setOpen;
    isShown = open;
    return createElement(Dialog, { open, onOpenChange: setOpen });
  });
  await until('the toast', () => said.length > 0);
  await until('the end of the dialog', () => !isShown);
  expect(said).toMatchObject([{ title: 'Atelier a changé depuis que cette page est ouverte', tone: 'fail' }]);
  expect(said[0]?.undo?.label).toBe('Recharger la page');
  expect(words()).toBe('');
  await pause(50);
  expect(tries).toBe(1);
  show(true);
  await until('the dialog', () => words() === 'Le dialogue');
});

it('a little part that cannot come leaves its place, and nothing is said', async () => {
  let tries = 0;
  const load = () => {
    tries += 1;
    return gone();
  };
  draw(lazyPart(load as () => Promise<{ default: () => string }>, '…', null));
  await until('the script to be asked for', () => tries > 0);
  await pause(50);
  expect([words(), said, tries]).toEqual(['…', [], 1]);
});

it('a part that the server drew, whose script is gone, says so in its place, which takes a press; it is asked for once', async () => {
  let load: () => Promise<{ default: ComponentType }> = async () => ({ default: () => 'Le produit' });
  let tries = 0;
  const Part = latePart(() => {
    tries += 1;
    return load();
  });
  const element = createElement('div', null, createElement('input', { name: 'title' }), createElement(Part));
  const html = await new Response(await renderToReadableStream(element)).text();
  expect(html).toContain('Le produit');
  load = () => pause(30).then(gone);
  // Another copy of the part, as in the browser: it has loaded nothing yet.
  const Late = latePart(() => {
    tries += 1;
    return load();
  });
  page.innerHTML = html;
  tries = 0;
  root.unmount();
  root = hydrateRoot(
    page,
    createElement('div', null, createElement('input', { name: 'title' }), createElement(Late)),
    { onRecoverableError: () => {} },
  );
  await until('its words', () => words().includes('Atelier a changé depuis que cette page est ouverte'));
  expect(page.querySelector('[data-late]')?.hasAttribute('inert')).toBe(false);
  await pause(50);
  expect(tries).toBe(1);
});

it('a part asked for without network comes once it is back, though the first tries of a network that is back fail too', async () => {
  status = 200;
  const network = { onLine: false };
  vi.stubGlobal('navigator', network);
  const events = new EventTarget();
  const addEventListener = { value: events.addEventListener.bind(events) };
  vi.stubGlobal('window', Object.create(window, { addEventListener }));
  let tries = 0;
  draw(lazyPart(() => (++tries < 3 ? gone() : Promise.resolve({ default: () => 'La référence' })), '…'));
  await until('the toast', () => said.length > 0);
  expect(said).toMatchObject([{ title: 'La connexion a été perdue', tone: 'fail' }]);
  expect([words(), tries]).toEqual(['…', 1]);
  network.onLine = true;
  events.dispatchEvent(new Event('online'));
  await until('the part', () => words() === 'La référence');
  expect([tries, said.length]).toEqual([3, 1]);
});

it.each([
  ['the code for missing parts', () => import('#app/_ui/state/missing-part.tsx')],
  ['nothing, as that code was lost too', gone],
])(
  'a part lost without network comes though the network is back before the page has %s',
  async (_what, load) => {
    status = 200;
    const network = { onLine: false };
    vi.stubGlobal('navigator', network);
    missing.load = async () => {
      network.onLine = true;
      return load();
    };
    let tries = 0;
    draw(lazyPart(() => (++tries < 2 ? gone() : Promise.resolve({ default: () => 'La référence' })), '…'));
    await until('the part', () => words() === 'La référence');
    expect([tries, said]).toEqual([2, []]);
  },
);

it('where what would say so is missing too, its place says to load the page again', async () => {
  missing.load = gone;
  draw(lazyPart(gone, 'Chargement…'));
  await until('its words', () => words() === 'Rechargez la page.');
});
