import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { panel, row, toastsReady, visit } from '../setup/brain-page.ts';
import { useBrowser } from '../setup/browser.ts';
import { untilQuiet } from '../setup/quiet.ts';
import { openScenes, type Scenes } from '../setup/scenes/brain.ts';

const browser = useBrowser();
let scenes: Scenes;
beforeAll(async () => {
  scenes = await openScenes(inject('app'));
});
afterAll(() => scenes?.close());

it('the history says that earlier versions could not be read; a double click then requests them once', async () => {
  const seat = await scenes.seat();
  const spaceId = await scenes.space(seat, 'Longue histoire');
  await scenes.memory(seat, spaceId, { title: 'Suivie' });
  const page = await visit(browser, seat, `/espaces/${spaceId}`);
  const held = Promise.withResolvers<void>();
  let asked = 0;
  await page.route('**/revisions*', async (route) => {
    if (!route.request().url().includes('before=')) {
      const answer = await route.fetch();
      const body = (await answer.json()) as object;
      return route.fulfill({ response: answer, json: { ...body, more: true } });
    }
    asked += 1;
    if (asked === 1) return route.abort();
    await held.promise;
    return route.fulfill({ json: { revisions: [], more: false } });
  });
  await row(page, 'Suivie').click();
  await panel(page).getByRole('tab', { name: 'Historique' }).click();
  const earlier = panel(page).getByRole('button', { name: 'Voir les versions antérieures' });
  await earlier.click();
  await panel(page).getByRole('alert').getByText('La connexion a été perdue').waitFor();
  await earlier.dblclick();
  held.resolve();
  await earlier.waitFor({ state: 'detached' });
  expect(asked).toBe(2);
  browser.forgetErrors();
});

it('typing a long text without network shows no message about a lost connection', async () => {
  const seat = await scenes.seat();
  const spaceId = await scenes.space(seat, 'Long texte');
  const page = await visit(browser, seat, `/espaces/${spaceId}`);
  await toastsReady(page);
  await page.getByRole('button', { name: 'Ajouter une mémoire dans Identité' }).click();
  const text = panel(page).getByLabel('Texte').last();
  await text.fill('Un début.');
  // A part of the page that is still on its way would say that the network was lost.
  await untilQuiet(page);
  await page.context().setOffline(true);
  await text.fill('Un long texte écrit à la main. '.repeat(110));
  // Longer than the pause after which a long text is examined.
  await page.waitForTimeout(2_000);
  expect(await page.getByText('La connexion a été perdue').count()).toBe(0);
  // Requests made while offline may fail after the test, so the page is closed first.
  await page.close();
  browser.forgetErrors();
});

it('an import that fails after its dialog was closed says so on the current page', async () => {
  const seat = await scenes.seat();
  const spaceId = await scenes.space(seat, 'Import laissé');
  const page = await visit(browser, seat, `/espaces/${spaceId}`);
  const held = Promise.withResolvers<void>();
  await page.route('**/imports', async (route) => {
    await held.promise;
    await route.abort();
  });
  await page.getByRole('button', { name: 'Importer des documents' }).click();
  await panel(page)
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'ton.md', mimeType: 'text/markdown', buffer: Buffer.from('Nous vouvoyons.') });
  await panel(page).getByRole('button', { name: 'Importer les fichiers' }).click();
  await page.keyboard.press('Escape');
  await page.locator('[data-panel]').waitFor({ state: 'detached' });
  held.resolve();
  await page.getByText('L’import n’a pas commencé').first().waitFor();
  browser.forgetErrors();
});
