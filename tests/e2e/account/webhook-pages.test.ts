import { afterAll, beforeAll, expect, it } from 'vitest';
import { panel, visit } from '../setup/brain-page.ts';
import { useBrowser } from '../setup/browser.ts';
import { openScenes, type Scenes } from '../setup/scenes/brain.ts';

const browser = useBrowser();
let scenes: Scenes;
beforeAll(async () => {
  scenes = await openScenes(browser.app);
});
afterAll(() => scenes.close());

// A public address of an account in which nothing happens: nothing is ever sent to it.
const ADDRESS = 'https://93.184.216.34/atelier';

it('an address is subscribed under a secret shown once, keeps what it is told of, changes its secret with an overlap, and goes', async () => {
  const seat = await scenes.seat();
  const page = await visit(browser, seat, '/developpeurs/evenements');
  await page.getByText('Vos programmes peuvent être prévenus').waitFor();
  await page.getByRole('button', { name: 'Abonner une adresse' }).first().click();
  await panel(page).getByLabel('Adresse').fill('https://127.0.0.1/atelier');
  await panel(page).getByRole('button', { name: 'Abonner l’adresse' }).click();
  await panel(page).getByRole('alert').or(panel(page).locator('[aria-invalid=true]')).first().waitFor();
  expect(await seat.ctx.db.webhookEndpoint.count({ where: { accountId: seat.accountId } })).toBe(0);

  await panel(page).getByLabel('Adresse').fill(ADDRESS);
  await panel(page).getByRole('button', { name: 'Abonner l’adresse' }).click();
  const first = await panel(page).locator('code', { hasText: 'whsec_' }).innerText();
  await panel(page).getByRole('button', { name: 'J’ai copié le secret' }).click();
  await page.getByRole('link', { name: '93.184.216.34' }).click();
  await page.getByRole('button', { name: 'Choisir les événements' }).waitFor();
  expect(await page.content()).not.toContain(first);

  await page.getByRole('button', { name: 'Choisir les événements' }).click();
  await panel(page).getByRole('checkbox').first().uncheck();
  await panel(page).getByRole('button', { name: 'Enregistrer les événements' }).click();
  await panel(page).waitFor({ state: 'detached' });
  const row = await seat.ctx.db.webhookEndpoint.findFirstOrThrow({ where: { accountId: seat.accountId } });
  expect(row.events).toHaveLength(3);

  await page.getByRole('button', { name: 'Remplacer le secret' }).click();
  await panel(page).getByRole('button', { name: 'Remplacer le secret' }).click();
  const second = await panel(page).locator('code', { hasText: 'whsec_' }).innerText();
  expect(second).not.toBe(first);
  await panel(page).getByText('Chaque envoi porte les deux signatures jusqu’au').waitFor();
  await panel(page).getByRole('button', { name: 'J’ai copié le secret' }).click();

  await page.getByRole('button', { name: 'Supprimer' }).click();
  await panel(page).getByRole('button', { name: 'Supprimer l’adresse' }).click();
  await page.getByText('Vos programmes peuvent être prévenus').waitFor();
  expect(await seat.ctx.db.webhookEndpoint.count({ where: { accountId: seat.accountId } })).toBe(0);
});
