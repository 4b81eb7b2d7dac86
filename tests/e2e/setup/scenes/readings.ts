import type { Page, Request } from 'playwright';

/** A page that is read again; not one that is read ahead. */
function isReading(request: Request): boolean {
  const headers = request.headers();
  const isPrefetch = Object.keys(headers).some((name) => name.endsWith('-prefetch'));
  return request.method() === 'GET' && headers.rsc === '1' && !isPrefetch;
}

/** Holds each reading of these addresses until they are let go; tells how many were asked for, those after included. */
export async function holdReadings(page: Page, addresses: string | RegExp) {
  const held = Promise.withResolvers<void>();
  const readings = { asked: 0, letGo: held.resolve };
  await page.route(addresses, async (route) => {
    if (!isReading(route.request())) return route.fallback();
    readings.asked += 1;
    await held.promise;
    // The last one may outlive its page.
    await route.continue().catch(() => undefined);
  });
  return readings;
}

/** Marks the document, so that another one is told from it. */
export const markDocument = (page: Page) => page.evaluate(() => Reflect.set(window, 'isFirst', true));

/** Whether it is still the document that was marked. */
export const isFirst = (page: Page) => page.evaluate(() => Reflect.get(window, 'isFirst') === true);

/** What has the focus: « BODY » when it was lost. */
export const focused = (page: Page) => page.evaluate(() => document.activeElement?.tagName);
