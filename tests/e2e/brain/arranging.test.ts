import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { row } from '../setup/brain-page.ts';
import { useStudio } from '../setup/scenes/use-studio.ts';

const { browser, scenes, visit } = useStudio();
const order = (page: Page) =>
  page
    .locator('#identity [data-row]')
    .evaluateAll((rows) => rows.map((one) => /Alpha|Bêta|Gamma/.exec(one.textContent ?? '')?.[0]));

/** Holds what the page sends until it is let go, refused or not. */
async function hold(page: Page): Promise<(answer: 'go' | 'lose') => void> {
  let letGo: (answer: 'go' | 'lose') => void = () => {};
  const said = new Promise<'go' | 'lose'>((resolve) => {
    letGo = resolve;
  });
  await page.route('**/espaces/**', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    return (await said) === 'go' ? route.continue() : route.abort();
  });
  return letGo;
}

it('a row moved by the keyboard is there before the server answers, keeps the focus, and stays', async () => {
  const seat = await scenes().seat();
  const spaceId = await scenes().space(seat, 'Rangement');
  for (const title of ['Alpha', 'Bêta', 'Gamma']) await scenes().memory(seat, spaceId, { title });
  const page = await visit(seat, `/espaces/${spaceId}`);
  const release = await hold(page);
  await row(page, 'Bêta').focus();
  await page.keyboard.press('Shift+ArrowRight');
  await row(page, 'Bêta').getByText('Niveau 2').waitFor({ state: 'attached' });
  expect(await seat.ctx.db.memory.count({ where: { spaceId, depth: 1 } })).toBe(0);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Bêta');
  release('go');
  await page.getByText('Rangée sous « Alpha »').first().waitFor();
  await expect.poll(() => seat.ctx.db.memory.count({ where: { spaceId, depth: 1 } })).toBe(1);
  expect(await order(page)).toEqual(['Alpha', 'Bêta', 'Gamma']);
  await page.getByRole('button', { name: 'Annuler' }).first().click();
  await expect.poll(() => row(page, 'Bêta').getByText('Niveau 2').count()).toBe(0);
});

it('a move that the server never heard of is taken back, and says so', async () => {
  const seat = await scenes().seat();
  const spaceId = await scenes().space(seat, 'Rangement');
  for (const title of ['Alpha', 'Bêta']) await scenes().memory(seat, spaceId, { title });
  const page = await visit(seat, `/espaces/${spaceId}`, {});
  const release = await hold(page);
  await row(page, 'Bêta').dragTo(row(page, 'Alpha'));
  await row(page, 'Bêta').getByText('Niveau 2').waitFor({ state: 'attached' });
  release('lose');
  await page.getByText('La connexion a été perdue').first().waitFor();
  // The browser itself reports the lost request.
  browser.consoleErrors.splice(0);
  await expect.poll(() => row(page, 'Bêta').getByText('Niveau 2').count()).toBe(0);
});
