import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { row } from '../setup/brain-page.ts';
import { faults } from '../setup/faults.ts';
import { useStudio } from '../setup/scenes/use-studio.ts';

const { scenes, visit } = useStudio();
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');
const options = (page: Page) => page.locator('[cmdk-item]');

it('Ctrl K finds a Memory by its text, opens it with Enter, and offers it again among what was opened lately', async () => {
  const seat = await scenes().seat();
  const spaceId = await scenes().space(seat, 'Maison');
  await scenes().memory(seat, spaceId, { title: 'Ton de la marque', body: 'Nous vouvoyons le marronnier.' });
  const page = await visit(seat, '/espaces');
  await page.getByText('Ctrl', { exact: true }).first().waitFor();
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox');
  await field.waitFor();
  // Enter is pressed before the answer: the first result of the answer is opened.
  await field.pressSequentially('marronn');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Ton de la marque' }).waitFor();
  await page.keyboard.press('Escape');
  await page.goto('/compte');
  await page.getByRole('button', { name: 'Chercher ou agir' }).click();
  await page.getByText('Ouverts récemment').waitFor();
  expect(await options(page).first().textContent()).toContain('Ton de la marque');
  await field.fill('rien qui existe');
  await page.locator('[data-answers="rien qui existe"]').waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/recherche?q=rien%20qui%20existe');
});

it('a link to a Memory opens it after « back », in a browser without the Navigation API too', async () => {
  const seat = await scenes().seat();
  const spaceId = await scenes().space(seat, 'Maison');
  for (const title of ['Alpha', 'Vouvoiement']) await scenes().memory(seat, spaceId, { title });
  const page = await visit(seat, `/espaces/${spaceId}`);
  // As in Firefox before 147 and Safari before 26.2.
  await page.addInitScript(() => Reflect.deleteProperty(window, 'navigation'));
  await page.reload();
  expect(await page.evaluate(() => 'navigation' in window)).toBe(false);
  await row(page, 'Alpha').click();
  await page.getByRole('dialog', { name: 'Alpha' }).waitFor();
  await page.goBack();
  await page.getByRole('dialog', { name: 'Alpha' }).waitFor({ state: 'detached' });
  // The new entry replaces the one after « back », so that the history has the same length as before.
  await page.keyboard.press('Control+k');
  await page.locator('[cmdk-input]').fill('Vouvoiement');
  await page.locator('[data-answers="Vouvoiement"]').waitFor();
  // The answer is drawn a moment before its first line is the one that Enter opens.
  await page.locator('[cmdk-item][data-value^="mem_"][data-selected=true]').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Vouvoiement' }).waitFor();
});

it('search words beyond the limit are listed under the results', async () => {
  const seat = await scenes().seat();
  const page = await visit(seat, '/espaces');
  await page.keyboard.press('Control+k');
  await page.locator('[cmdk-input]').waitFor();
  // The live region exists before it has text.
  expect(await page.getByRole('dialog').getByRole('status').textContent()).toBe('');
  await page.locator('[cmdk-input]').fill('un deux trois quatre cinq six sept huit Neuvième');
  const note = page.getByRole('status').filter({ hasText: 'Hors des mémoires' });
  await note.waitFor();
  expect(await note.textContent()).toContain('seuls les 8 premiers mots différents ont été cherchés');
  expect(await note.textContent()).toContain('Neuvième');
  expect(await faults(page, { impacts: 'all' })).toEqual([]);
  await page.locator('[cmdk-input]').fill('mot '.repeat(60));
  await page.getByText('Seuls les 200 premiers caractères sont cherchés.').waitFor();
});

it('an action of the palette opens its dialog, and closing it leaves an address without a query', async () => {
  const seat = await scenes().seat();
  const page = await visit(seat, '/espaces');
  for (const [verb, path] of [
    ['Inviter un membre', '/equipe'],
    ['Créer une clé', '/developpeurs'],
  ] as const) {
    await page.keyboard.press('Control+k');
    await page.locator('[cmdk-input]').fill(verb);
    await options(page).filter({ hasText: verb }).first().click();
    await page.getByRole('dialog', { name: verb }).waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL((url) => url.pathname === path && url.search === '');
  }
});

it('the board has one tab stop per pillar; arrows go up, down and to the pillar beside', async () => {
  const seat = await scenes().seat();
  const spaceId = await scenes().space(seat, 'Rangement');
  for (const title of ['Alpha', 'Bêta']) await scenes().memory(seat, spaceId, { title });
  for (const title of ['Un', 'Deux']) await scenes().memory(seat, spaceId, { title, pillar: 'GUIDELINES' });
  const page = await visit(seat, `/espaces/${spaceId}`);
  const stops = () => page.locator('[data-row][tabindex="0"]').count();
  expect(await stops()).toBe(2);
  await row(page, 'Alpha').focus();
  await page.keyboard.press('ArrowDown');
  expect(await focused(page)).toContain('Bêta');
  await page.keyboard.press('ArrowRight');
  expect(await focused(page)).toContain('Deux');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowLeft');
  expect(await focused(page)).toContain('Alpha');
  expect(await stops()).toBe(2);
});

it('arrows go from the search field through the results and back', async () => {
  const seat = await scenes().seat();
  const spaceId = await scenes().space(seat, 'Maison');
  for (const title of ['Bougie ambre', 'Bougie verte']) await scenes().memory(seat, spaceId, { title });
  const page = await visit(seat, '/recherche?q=bougie');
  await page.locator('[data-hit]').nth(1).waitFor();
  await page.getByLabel('Mots à chercher').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  expect(await page.evaluate(() => document.activeElement?.hasAttribute('data-hit'))).toBe(true);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  expect(await page.evaluate(() => document.activeElement?.hasAttribute('data-search'))).toBe(true);
});
