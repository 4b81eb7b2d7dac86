import type { Page } from 'playwright';
import type { ServedApp } from './global.ts';
import { enterAs } from './scenes/app.ts';

/** Signs a page in as a member of the demonstration account, and opens `to`. No code is used: codes are rate-limited per address. */
export async function signedIn(app: ServedApp, page: Page, email: string, to: string): Promise<void> {
  await enterAs(page, app, email, app.demo?.accountId);
  await page.goto(to);
}
