import type { Page } from 'playwright';
import type { TestBrowser } from './browser.ts';
import type { Seat } from './scenes/brain.ts';

type PageOptions = Parameters<TestBrowser['newPage']>[0];

/** A page of one of the scene's members that has gone nowhere yet: for who goes to many addresses. */
export async function seated(browser: TestBrowser, seat: Seat, options: PageOptions = {}): Promise<Page> {
  const page = await browser.newPage(options);
  await reseat(browser, page, seat);
  return page;
}

/** Gives the page at hand to another member, who goes on where they are sent: a page of its own costs twice as much. */
export async function reseat(browser: TestBrowser, page: Page, seat: Seat): Promise<void> {
  await page.context().addCookies([{ ...seat.cookie, url: browser.app.baseUrl }]);
}

/** Opens an address of the Brain as one of the scene's members. */
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

/** The dialog or side panel that is open; toasts are dialogs too. */
export const panel = (page: Page) => page.locator('[data-panel]').last();

/** The page is alive, and what says things at its foot is there: it comes with the first gesture. */
export async function toastsReady(page: Page): Promise<void> {
  await page.keyboard.press('Shift');
  await page.getByRole('region', { name: 'Notifications' }).waitFor({ state: 'attached' });
}

/** Takes the network from a page that can say so. */
export async function goOffline(page: Page): Promise<void> {
  await toastsReady(page);
  await page.context().setOffline(true);
}
