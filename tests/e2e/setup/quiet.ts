import type { Page, Request } from 'playwright';
import { until } from '#tests/setup/until.ts';

const QUIET_MS = 100;

/** What a page has asked for and not been given yet, and how often that changed. */
type Watched = { open: Set<Request>; changes: number };
const pages = new WeakMap<Page, Watched>();

function isNextDocument(page: Page, request: Request): boolean {
  try {
    return request.isNavigationRequest() && request.frame() === page.mainFrame();
  } catch {
    // The frame of a request may not be known yet, or no more.
    return false;
  }
}

/** Follows what a page asks for, from now on. */
export function watch(page: Page): Watched {
  const known = pages.get(page);
  if (known) return known;
  const watched: Watched = { open: new Set(), changes: 0 };
  const ended = (request: Request) => {
    watched.open.delete(request);
    watched.changes += 1;
  };
  page.on('request', (request) => {
    // What the former document had under way ends with it, not always with an event.
    if (isNextDocument(page, request)) watched.open.clear();
    watched.open.add(request);
    watched.changes += 1;
  });
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
  pages.set(page, watched);
  return watched;
}

/**
 * Waits until a page has nothing left to do: what it asked for has come, and nothing was asked for during a tenth of a second of its own
 * time, idle before and after. Playwright's `networkidle` looks at requests alone, and half a second is nothing to a page that is held.
 */
export async function untilQuiet(page: Page): Promise<void> {
  const watched = watch(page);
  await until(
    `${page.url()} to be quiet`,
    async () => {
      const before = watched.changes;
      await page.evaluate(async (quietMs) => {
        const idle = () => new Promise<void>((done) => requestIdleCallback(() => done(), { timeout: 1_000 }));
        // Scripts that came may ask for more once they have run.
        await idle();
        await new Promise((done) => setTimeout(done, quietMs));
        await idle();
      }, QUIET_MS);
      return watched.open.size === 0 && watched.changes === before;
    },
    20,
  );
}

/** Goes to an address until its page has nothing left to do. */
export async function gotoQuiet(page: Page, path: string): Promise<void> {
  watch(page);
  await page.goto(path);
  await untilQuiet(page);
}
