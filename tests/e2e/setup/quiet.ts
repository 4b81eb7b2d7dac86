import type { Page, Request } from 'playwright';
import { until } from '#tests/setup/until.ts';

const QUIET_MS = 100;

/**
 * Opens an address and waits until all its requests have ended, none began or ended for 100 ms, and the browser is idle. Playwright's
 * `networkidle` does not wait for scripts to run, and takes half a second each time.
 */
export async function gotoQuiet(page: Page, path: string): Promise<void> {
  const open = new Set<Request>();
  let changedAt = performance.now();
  const begun = (request: Request) => {
    // The pending requests of the former document end with it, not always with an event.
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
        // Loaded scripts may start other requests once they have run.
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
