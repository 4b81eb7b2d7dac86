import type { Page } from 'playwright';
import type { TestBrowser } from './browser.ts';
import { untilQuiet } from './quiet.ts';
import type { Seat } from './scenes/brain.ts';

type PageOptions = Parameters<TestBrowser['newPage']>[0];

/** A blank page in the session of a member of the scene, for tests that visit several addresses. */
export async function seated(browser: TestBrowser, seat: Seat, options: PageOptions = {}): Promise<Page> {
  const page = await browser.newPage(options);
  await reseat(browser, page, seat);
  return page;
}

/** Replaces the session of a page by that of another member. The next navigation is theirs. A new page would take twice as long. */
export async function reseat(browser: TestBrowser, page: Page, seat: Seat): Promise<void> {
  await page.context().addCookies([{ ...seat.cookie, url: browser.app.baseUrl }]);
}

/** Opens an address in the session of a member of the scene. */
export async function visit(
  browser: TestBrowser,
  seat: Seat,
  path: string,
  options: PageOptions = {},
): Promise<Page> {
  const page = await seated(browser, seat, options);
  await page.goto(path);
  return page;
}

/** The live Memories of a Space, oldest first. */
export function memories(spaceId: string, seat: Seat) {
  return seat.ctx.db.memory.findMany({ where: { spaceId, deletedAt: null }, orderBy: { createdAt: 'asc' } });
}

/** A Memory's row in a Space. */
export const row = (page: Page, title: string) => page.locator('[data-row]', { hasText: title });

/** The topmost open dialog or side panel. Toasts are dialogs too, but have no `data-panel`. */
export const panel = (page: Page) => page.locator('[data-panel]').last();

/** Makes a gesture, and waits for the region of toasts, which the page loads at the first gesture. */
export async function toastsReady(page: Page): Promise<void> {
  await page.keyboard.press('Shift');
  await page.getByRole('region', { name: 'Notifications' }).waitFor({ state: 'attached' });
}

/** Sets a page offline once its toasts are loaded, so that it can show that it is offline, and what else it loads ahead of a use. */
export async function goOffline(page: Page): Promise<void> {
  await toastsReady(page);
  await untilQuiet(page);
  await page.context().setOffline(true);
}

/**
 * An undo is offered for ten seconds. From now on this document offers it for ten minutes: what is looked at before it is pressed may take
 * longer on a machine that is held.
 */
export async function keepUndos(page: Page): Promise<void> {
  await page.evaluate(() => {
    const wait = window.setTimeout as (run: TimerHandler, ms?: number, ...given: unknown[]) => unknown;
    const longer: typeof wait = (run, ms, ...given) => wait(run, ms === 10_000 ? 600_000 : ms, ...given);
    Reflect.set(window, 'setTimeout', longer);
  });
}
