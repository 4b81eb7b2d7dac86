import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';
import type { ServedApp } from './global.ts';
import { type BrowserKeeper, keepBrowser } from './launch.ts';

export type TestBrowser = {
  readonly app: ServedApp;
  readonly keeper: BrowserKeeper;
  /** A page in a context of its own (no cookies of another test), in French; closed after the test. */
  newPage(options?: Parameters<Browser['newContext']>[0]): Promise<Page>;
  /** Another tab of the browser of this page: the same cookies. */
  newTab(beside: Page): Promise<Page>;
  /** Errors that the pages of this test wrote to their console or threw, or files they failed to load. */
  readonly consoleErrors: string[];
};

/**
 * One browser per test file: `const browser = useBrowser();` at the top, then `await browser.newPage()` inside a test. A test
 * whose pages wrote an error to their console fails, unless it empties `consoleErrors` because it expected it; so does one whose
 * browser died, with its signal, and the next test gets another browser.
 */
export function useBrowser(): TestBrowser {
  const keeper = keepBrowser();
  let contexts: BrowserContext[] = [];
  const consoleErrors: string[] = [];

  beforeAll(() => keeper.get());
  afterEach(async () => {
    // Those of a browser that died are closed already.
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
      // Long enough for a machine that does something else: what is awaited is that it happens, not how soon.
      context.setDefaultTimeout(120_000);
      contexts.push(context);
      return open(context);
    },
    newTab: (beside) => open(beside.context()),
  };
}

/**
 * The page, whose `goto` and `reload` end once it answers to gestures: a part that is still streamed, or drawn by the server and
 * not yet React's, would lose a key or a drag that comes too early.
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

// A page that never comes to life is for the test itself to find.
async function untilAlive(page: Page): Promise<void> {
  for (let turn = 0; turn < 600; turn += 1) {
    const alive = await page
      .evaluate(() => {
        if (document.querySelector('template[id^="B:"], [data-late][inert]')) return false;
        const gestures = document.querySelectorAll(
          'main :is(button, input:not([type=hidden]), textarea, select, [data-row])',
        );
        // What the documentation draws as one string is listened to from the page, not by React's own elements.
        const own = [...gestures].filter((one) => !one.closest('.doc-code'));
        return own.every((one) => Object.keys(one).some((key) => key.startsWith('__react')));
      })
      // The page went elsewhere meanwhile: its next document is looked at.
      .catch(() => false);
    if (alive) return;
    await new Promise((done) => setTimeout(done, 50));
  }
}
