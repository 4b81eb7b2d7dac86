import type { Page } from 'playwright';
import type { ServedApp } from './global.ts';
import { enterAs } from './scenes/app.ts';

/** Signs a page in as a member of the demonstration account, without a code (those are throttled per address), and opens `to`. */
export async function signedIn(app: ServedApp, page: Page, email: string, to: string): Promise<void> {
  await enterAs(page, app, email, app.demo?.accountId);
  await page.goto(to);
}
