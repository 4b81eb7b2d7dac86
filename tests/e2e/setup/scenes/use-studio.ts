import type { Page } from 'playwright';
import { afterAll, beforeAll, inject } from 'vitest';
import { type TestBrowser, useBrowser } from '../browser.ts';
import { openScenes, type Scenes, type Seat } from './brain.ts';
import { fund } from './studio.ts';

type PageOptions = Parameters<TestBrowser['newPage']>[0];

/** The set-up of a browser test file of the Studio: one browser, and functions that make accounts. */
export function useStudio() {
  const browser = useBrowser();
  let opened: Scenes | undefined;
  beforeAll(async () => {
    opened = await openScenes(inject('app'));
  });
  afterAll(() => opened?.close());
  const scenes = (): Scenes => {
    if (!opened) throw new Error('Scenes exist only inside tests.');
    return opened;
  };
  return {
    browser,
    scenes,
    /** Opens an address as this member, in a new browser context. */
    async visit(seat: Seat, path: string, options: PageOptions = {}): Promise<Page> {
      const page = await browser.newPage(options);
      await page.context().addCookies([{ ...seat.cookie, url: browser.app.baseUrl }]);
      await page.goto(path);
      return page;
    },
    /** The founder of a new account, with credit in micro-dollars. */
    async founder(amountMicros = 20_000_000n, caps: Parameters<typeof fund>[2] = {}): Promise<Seat> {
      const seat = await scenes().seat();
      await fund(seat, amountMicros, caps);
      return seat;
    },
  };
}

/** A generation in the journal, as a tile or a row of the table. */
export const tile = (page: Page, id: string) => page.locator(`[data-generation="${id}"]`);

/** The composer, once it accepts input. */
export const composed = (page: Page) => page.locator('form[data-composer][data-ready]');

/** How much wider than the screen a page is, in pixels. */
export const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
