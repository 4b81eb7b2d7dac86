import type { Page } from 'playwright';
import { until } from '#tests/setup/until.ts';
import { outboxPath } from './account.ts';
import type { ServedApp } from './global.ts';

/**
 * The code of the newest message with a code to this address in the local outbox, read from the HTML of its page. Other messages are ignored: other
 * test files request codes at the same time, and what they do as the same member (an application, a key) is mailed to this address too.
 */
export async function mailedCode(page: Page, app: ServedApp, email: string): Promise<string> {
  const path = await outboxPath(app);
  return until(`a code for ${email} in the outbox`, async () => {
    const html = await (await page.request.get(path)).text();
    const codes = html
      .split('<h2')
      .filter((message) => />à (?:<!-- -->)?([^<]*)<\/p>/.exec(message)?.[1] === email.toLowerCase())
      .map((message) => /^ {4}(\d{6})$/m.exec(/<pre[^>]*>([^<]*)<\/pre>/.exec(message)?.[1] ?? '')?.[1]);
    return codes.find((code) => code !== undefined);
  });
}

/** Requests a sign-in code at `path`, and waits for the field of the code. */
export async function askCode(page: Page, email: string, path: string): Promise<void> {
  await page.goto(path);
  await page.getByLabel('Adresse e-mail').fill(email);
  await page.getByRole('button', { name: 'Recevoir un code' }).click();
  await page.getByLabel('Code à six chiffres').waitFor();
}
