import type { Page, Request } from 'playwright';

/** Whether the router requests a page from the server; false for a prefetch. */
function isReading(request: Request): boolean {
  const headers = request.headers();
  const isPrefetch = Object.keys(headers).some((name) => name.endsWith('-prefetch'));
  return request.method() === 'GET' && headers.rsc === '1' && !isPrefetch;
}

/** Withholds the router's requests for these addresses until `letGo` is called. `asked` counts all of them, also the later ones. */
export async function holdReadings(page: Page, addresses: string | RegExp) {
  const held = Promise.withResolvers<void>();
  const readings = { asked: 0, letGo: held.resolve };
  await page.route(addresses, async (route) => {
    if (!isReading(route.request())) return route.fallback();
    readings.asked += 1;
    await held.promise;
    // The last request may outlive its page.
    await route.continue().catch(() => undefined);
  });
  return readings;
}

/** Marks the document, so that `isFirst` can tell whether it was replaced. */
export const markDocument = (page: Page) => page.evaluate(() => Reflect.set(window, 'isFirst', true));

/** Whether the page still shows the document that was marked. */
export const isFirst = (page: Page) => page.evaluate(() => Reflect.get(window, 'isFirst') === true);

/** The tag name of the focused element; `BODY` if nothing has the focus. */
export const focused = (page: Page) => page.evaluate(() => document.activeElement?.tagName);
