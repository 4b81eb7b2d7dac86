import type { Page } from 'playwright';
import { outboxPath } from './account.ts';
import type { ServedApp } from './global.ts';

/** The newest code in the local outbox. */
export async function mailedCode(page: Page, app: ServedApp): Promise<string> {
  const outbox = await page.context().newPage();
  const path = await outboxPath(app);
  let code: string | undefined;
  for (let n = 0; n < 40 && !code; n += 1) {
    await outbox.goto(path);
    const text = await outbox
      .locator('pre')
      .first()
      .textContent({ timeout: 1000 })
      .catch(() => '');
    code = /^ {4}(\d{6})$/m.exec(text ?? '')?.[1];
  }
  await outbox.close();
  return code ?? '';
}

/** Asks for a code at `path`, up to the field that waits for it. */
export async function askCode(page: Page, email: string, path: string): Promise<void> {
  await page.goto(path);
  await page.getByLabel('Adresse e-mail').fill(email);
  await page.getByRole('button', { name: 'Recevoir un code' }).click();
  await page.getByLabel('Code à six chiffres').waitFor();
}
