import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';
import { describePage } from './failure-report.ts';
import type { ServedApp } from './global.ts';
import { type BrowserKeeper, keepBrowser } from './launch.ts';
import { watch } from './quiet.ts';

export type TestBrowser = {
  readonly app: ServedApp;
  readonly keeper: BrowserKeeper;
  /** A page in its own browser context (no cookies of other tests), in French; closed after the test. */
  newPage(options?: Parameters<Browser['newContext']>[0]): Promise<Page>;
  /** Another tab of the same browser context, with the same cookies. */
  newTab(beside: Page): Promise<Page>;
  /** The errors of this test's pages: console errors, uncaught exceptions, and files that failed to load. */
  readonly consoleErrors: string[];
  /** Ends a test that wanted errors: those that come later, until its pages are closed, are none either. */
  forgetErrors(): void;
};

/**
 * One browser per test file: `const browser = useBrowser();` at the top, then `await browser.newPage()` inside a test. A test
 * whose pages wrote an error to their console fails, unless it empties `consoleErrors` because it expected it, or ends with
 * `forgetErrors`; so does one whose browser died, with its signal, and the next test gets another browser. A test that fails prints what
 * its pages show.
 */
export function useBrowser(): TestBrowser {
  const keeper = keepBrowser();
  let contexts: BrowserContext[] = [];
  const consoleErrors: string[] = [];
  let areForgotten = false;

  beforeAll(() => keeper.get());
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail')
      for (const page of contexts.flatMap((context) => context.pages()))
        console.log(`At the end of « ${task.name} »:\n${await describePage(page)}`);
    // The contexts of a browser that died are closed already.
    await Promise.all(contexts.map((context) => context.close().catch(() => undefined)));
    contexts = [];
    const errors = areForgotten ? [] : [...consoleErrors];
    consoleErrors.length = 0;
    areForgotten = false;
    const deaths = await keeper.takeDeaths();
    if (deaths.length > 0) throw new Error(`The browser died: ${deaths.join('\n')}`);
    if (errors.length > 0) throw new Error(`The page reported errors:\n${errors.join('\n')}`);
  });
  afterAll(() => keeper.close());

  async function open(context: BrowserContext): Promise<Page> {
    const page = await context.newPage();
    watch(page);
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
    forgetErrors() {
      areForgotten = true;
    },
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
 * The page. What leads it elsewhere ends once the next document answers to gestures: a part that is still streamed, or drawn by the server
 * and not yet React's, would lose a press, a key or a drag that comes too early.
 */
function livingPage(page: Page): Page {
  const alive =
    <Input extends unknown[], Answer>(go: (...input: Input) => Promise<Answer>) =>
    async (...input: Input): Promise<Answer> => {
      const answer = await go(...input);
      await untilAlive(page);
      return answer;
    };
  page.goto = alive(page.goto.bind(page));
  page.reload = alive(page.reload.bind(page));
  page.goBack = alive(page.goBack.bind(page));
  page.goForward = alive(page.goForward.bind(page));
  page.waitForURL = alive(page.waitForURL.bind(page));
  page.waitForNavigation = alive(page.waitForNavigation.bind(page));
  return page;
}

/** Waits until the page is hydrated, for 30 s or more. It does not throw for a page that never is: the test will notice. */
async function untilAlive(page: Page): Promise<void> {
  for (let turn = 0; turn < 600; turn += 1) {
    const alive = await page
      .evaluate(async () => {
        if (document.querySelector('template[id^="B:"], [data-late][inert]')) return false;
        const gestures = document.querySelectorAll(
          'main :is(button, input:not([type=hidden]), textarea, select, [data-row])',
        );
        // The code blocks of the documentation are rendered as one string, and have no React elements of their own.
        const own = [...gestures].filter((one) => !one.closest('.doc-code'));
        const isReacts = (one: Element) => Object.keys(one).some((key) => key.startsWith('__react'));
        if (!own.every(isReacts)) return false;
        // A page without any may listen at its document (the documentation): React marks the root last. A bare page has no script of Next.
        const isNexts = document.querySelector('script[src*="/_next/"]') !== null;
        if (isNexts && !isReacts(document.documentElement)) return false;
        // What hears the keys of a page listens after React has drawn it: before its thread has nothing left to do.
        await new Promise<void>((idle) => requestIdleCallback(() => idle(), { timeout: 1_000 }));
        return true;
      })
      // The page was navigating: its next document is examined.
      .catch(() => false);
    if (alive) return;
    await new Promise((done) => setTimeout(done, 50));
  }
}
