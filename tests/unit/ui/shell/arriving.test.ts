import { parseHTML } from 'linkedom';
import { PathnameContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime.js';
import {
  type ComponentProps,
  type ComponentType,
  createElement,
  startTransition,
  useLayoutEffect,
} from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { lazyPart } from '#app/_ui/lazy-part.ts';
import { Arriving } from '#app/_ui/shell/arriving/arriving.tsx';
import { leaving } from '#app/_ui/shell/arriving/leaving.ts';
import { until } from '#tests/setup/until.ts';

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A part, with a callback between its rendering and its effects. */
function Drawn({ onDrawn, part }: { onDrawn: () => void; part: ComponentType }) {
  useLayoutEffect(onDrawn, [onDrawn]);
  return createElement(part);
}

let root: Root;
let page: Element;

beforeEach(() => {
  const window = parseHTML('<html><body><main></main></body></html>');
  vi.stubGlobal('window', window);
  page = window.document.querySelector('main') as Element;
  root = createRoot(page);
});
afterEach(async () => {
  root.unmount();
  await pause(10);
});
afterAll(() => vi.unstubAllGlobals());

describe('a part that is fetched when it is needed', () => {
  it('is drawn when its script came between its first drawing and what follows it', async () => {
    const script = Promise.withResolvers<{ default: ComponentType }>();
    const Part = lazyPart(() => script.promise, 'Chargement…');
    const draw = (key: string, onDrawn: () => void) =>
      root.render(createElement(Drawn, { key, onDrawn, part: Part }));
    let isDrawn = false;
    draw('first', () => {
      isDrawn = true;
    });
    await until('the first drawing', () => isDrawn);
    // The first rendering requests the script; the second replaces it, and the script arrives during it.
    await pause(20);
    draw('second', () => script.resolve({ default: () => 'La mémoire' }));
    await until('the part', () => page.textContent === 'La mémoire');
  });
});

describe('the frame of the cockpit', () => {
  const hasSkeleton = () => page.querySelector('[data-page-skeleton]') !== null;
  const isPageShown = () => page.querySelector('p')?.parentElement?.className === 'contents';
  /** As the router does: the transition lasts until the page is there. */
  const leave = (path: string) => {
    const arrival = Promise.withResolvers<void>();
    startTransition(async () => {
      leaving.tell?.(path);
      await arrival.promise;
    });
    return arrival;
  };
  const open = async (load?: ComponentProps<typeof Arriving>['load']) => {
    const props: ComponentProps<typeof Arriving> = {
      children: createElement('p', null, 'Espaces'),
      ...(load ? { load } : {}),
    };
    root.render(createElement(PathnameContext, { value: '/espaces' }, createElement(Arriving, props)));
    await until('the frame', () => isPageShown() && leaving.tell);
  };

  it('shows the skeleton of a page that is late, until nothing is on its way', async () => {
    await open();
    const arrival = leave('/journal');
    await until('the skeleton', hasSkeleton);
    expect(isPageShown()).toBe(false);
    arrival.resolve();
    await until('the page', () => isPageShown() && !hasSkeleton());
  });

  it('shows the page at hand to who turns back while another one is on its way', async () => {
    await open();
    const arrivals = [leave('/journal')];
    await until('the skeleton', hasSkeleton);
    arrivals.push(leave('/espaces'));
    await until('the page at hand', () => isPageShown() && !hasSkeleton());
    for (const arrival of arrivals) arrival.resolve();
  });

  it('shows the page at hand to who stays where a new release would be loaded, whatever the router waits for', async () => {
    await open();
    const arrival = leave('/journal');
    await until('the skeleton', hasSkeleton);
    leaving.stay?.();
    await until('the page at hand', () => isPageShown() && !hasSkeleton());
    await pause(200);
    expect([hasSkeleton(), isPageShown()]).toEqual([false, true]);
    arrival.resolve();
    // No page is loading any more: a question before the tab closes calls nothing off.
    await until('the end of the departure', () => leaving.stay === null);
  });

  it('may be told of a second page that its reader calls off, while the router waits for the first that was', async () => {
    await open();
    const arrivals = [leave('/journal')];
    await until('the skeleton', hasSkeleton);
    leaving.stay?.();
    await until('the page at hand', () => isPageShown() && !hasSkeleton());
    arrivals.push(leave('/voix'));
    await pause(200);
    expect(leaving.stay).not.toBeNull();
    leaving.stay?.();
    await pause(200);
    expect([hasSkeleton(), isPageShown()]).toEqual([false, true]);
    for (const arrival of arrivals) arrival.resolve();
    await until('the end of the departure', () => leaving.stay === null);
  });

  it('goes from one skeleton to another, never back to the page that was left', async () => {
    await open();
    const arrivals = [leave('/journal')];
    await until('the skeleton', hasSkeleton);
    arrivals.push(leave('/voix'));
    await until('the other skeleton', () => page.querySelector('.aspect-square') === null);
    await pause(50);
    expect([hasSkeleton(), isPageShown()]).toEqual([true, false]);
    for (const arrival of arrivals) arrival.resolve();
  });

  it('keeps the page at hand where the script of the skeleton does not come', async () => {
    let asked = 0;
    await open(() => {
      asked += 1;
      return Promise.reject(new Error('no network'));
    });
    const arrival = leave('/journal');
    await until('the script to be asked for', () => asked > 0);
    await pause(200);
    expect([hasSkeleton(), isPageShown()]).toEqual([false, true]);
    arrival.resolve();
  });
});
