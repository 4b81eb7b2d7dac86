import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';
import type { ServedApp } from './global.ts';
import { type BrowserKeeper, keepBrowser } from './launch.ts';

export type TestBrowser = {
  readonly app: ServedApp;
  readonly keeper: BrowserKeeper;
  /** A page in its own browser context (no cookies of other tests), in French; closed after the test. */
  newPage(options?: Parameters<Browser['newContext']>[0]): Promise<Page>;
  /** Another tab of the same browser context, with the same cookies. */
  newTab(beside: Page): Promise<Page>;
  /** The errors of this test's pages: console errors, uncaught exceptions, and files that failed to load. */
  readonly consoleErrors: string[];
};

/**
 * One browser per test file: `const browser = useBrowser();` at the top, then `await browser.newPage()` in a test. A test fails if its pages
 * reported errors, unless it empties `consoleErrors`, and if its browser died; the next test then gets a new browser.
 */
export function useBrowser(): TestBrowser {
  const keeper = keepBrowser();
  let contexts: BrowserContext[] = [];
  const consoleErrors: string[] = [];

  beforeAll(() => keeper.get());
  afterEach(async () => {
    // The contexts of a browser that died are closed already.
    await Promise.all(contexts.map((context) => context.close().catch(() => undefined)));
    contexts = [];
    const deaths = await keeper.takeDeaths();
    if (deaths.length > 0) throw new Error(`The browser died: ${deaths.join('\n')}`);
    const errors = consoleErrors.splice(0);
    if (errors.length > 0) throw new Error(`The page reported errors:\n${errors.join('\n')}`);
  });
  afterAll(() => keeper.close());

  async function open(context: BrowserContext): Promise<Page> {
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') consoleErrors.push(`${message.text()} ${message.location().url}`);
    });
    page.on('pageerror', (error) => consoleErrors.push(String(error)));
    page.on('crash', () => consoleErrors.push('The process of the page died.'));
    return livingPage(page);
  }

  return {
    keeper,
    get app() {
      return inject('app');
    },
    consoleErrors,
    async newPage(options = {}) {
      const context = await (await keeper.get()).newContext({
        locale: 'fr-FR',
        timezoneId: 'Europe/Paris',
        baseURL: inject('app').baseUrl,
        ...options,
      });
      // Long, for a busy machine: tests check that something happens, not how fast.
      context.setDefaultTimeout(120_000);
      contexts.push(context);
      return open(context);
    },
    newTab: (beside) => open(beside.context()),
  };
}

/**
 * The page with a `goto` and a `reload` that wait until it handles gestures. Before hydration, or in a part that is still streamed, a key or a
 * drag would be lost.
 */
function livingPage(page: Page): Page {
  const goto = page.goto.bind(page);
  const reload = page.reload.bind(page);
  page.goto = async (...input) => {
    const answer = await goto(...input);
    await untilAlive(page);
    return answer;
  };
  page.reload = async (...input) => {
    const answer = await reload(...input);
    await untilAlive(page);
    return answer;
  };
  return page;
}

/** Waits until the page is hydrated, for 30 s or more. It does not throw for a page that never is: the test will notice. */
async function untilAlive(page: Page): Promise<void> {
  for (let turn = 0; turn < 600; turn += 1) {
    const alive = await page
      .evaluate(() => {
        if (document.querySelector('template[id^="B:"], [data-late][inert]')) return false;
        const gestures = document.querySelectorAll(
          'main :is(button, input:not([type=hidden]), textarea, select, [data-row])',
        );
        // The code blocks of the documentation are rendered as one string, and have no React elements of their own.
        const own = [...gestures].filter((one) => !one.closest('.doc-code'));
        return own.every((one) => Object.keys(one).some((key) => key.startsWith('__react')));
      })
      // The page was navigating: its next document is examined.
      .catch(() => false);
    if (alive) return;
    await new Promise((done) => setTimeout(done, 50));
  }
}
