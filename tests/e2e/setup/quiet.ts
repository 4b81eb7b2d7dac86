import type { Page, Request } from 'playwright';
import { until } from '#tests/setup/until.ts';

const QUIET_MS = 100;

/**
 * Goes to an address until its page has nothing left to do: what it asked for has come, and nothing was asked for or drawn for a tenth
 * of a second. Playwright's `networkidle` looks at requests alone, and waits for half a second each time.
 */
export async function gotoQuiet(page: Page, path: string): Promise<void> {
  const open = new Set<Request>();
  let changedAt = performance.now();
  const begun = (request: Request) => {
    // What the former document had under way ends with it, not always with an event.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) open.clear();
    open.add(request);
    changedAt = performance.now();
  };
  const ended = (request: Request) => {
    open.delete(request);
    changedAt = performance.now();
  };
  page.on('request', begun);
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
  try {
    await page.goto(path);
    await until(
      `${path} to be quiet`,
      async () => {
        // Scripts that came may ask for more once they have run.
        await page.evaluate(
          () => new Promise<void>((idle) => requestIdleCallback(() => idle(), { timeout: 1_000 })),
        );
        return open.size === 0 && performance.now() - changedAt >= QUIET_MS;
      },
      20,
    );
  } finally {
    page.off('request', begun);
    page.off('requestfinished', ended);
    page.off('requestfailed', ended);
  }
}
