import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { keepUndos } from '../setup/brain-page.ts';
import { faults } from '../setup/faults.ts';
import { overflow, useStudio } from '../setup/scenes/use-studio.ts';

const { visit, founder, scenes } = useStudio();

it('a founder proposes a product: refused by its fields, then ready to copy and to download, and nothing has changed', async () => {
  const seat = await founder();
  await scenes().space(seat, 'Savonnerie');
  const page = await visit(seat, '/produits', { viewport: { width: 390, height: 844 } });
  await page.getByRole('link', { name: 'Proposer un produit' }).click();
  const send = page.getByRole('button', { name: 'Préparer la demande' });
  await page.getByLabel('Identifiant').fill('Savon noir');
  await page.getByLabel('Boutiques d’où lire une référence').fill('https://www.savonnerie.fr/');
  await send.click();
  await page.getByRole('alert').getByText('Rien n’est parti').waitFor();
  await page.getByText('Il faut de 3 à 40 lettres minuscules').waitFor();
  await page.getByText('Le nom doit faire de 1 à 80 caractères.').waitFor();
  await page.getByText('n’est pas le nom d’une boutique').waitFor();
  await page.getByLabel('Identifiant').and(page.locator(':focus')).waitFor();
  expect(await faults(page, { impacts: 'all' })).toEqual([]);

  await page.getByLabel('Identifiant').fill('savon-noir');
  await page.getByLabel('Nom', { exact: true }).fill('Savon « noir » `${1}`');
  await page.getByLabel('Espace qui fait foi').selectOption('Savonnerie');
  await page.getByLabel('Promesses').fill('Sans huile de palme\nFait à Marseille');
  await page.getByLabel('Boutiques d’où lire une référence').fill('www.savonnerie.fr');
  await send.click();
  const ready = page.locator('[data-ready-request]');
  const heading = ready.getByRole('heading', { name: 'La demande est prête' });
  await heading.waitFor();
  await expect.poll(() => heading.evaluate((one) => one === document.activeElement)).toBe(true);
  expect(await faults(page, { impacts: 'all' })).toEqual([]);
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    ready.getByRole('button', { name: 'Télécharger le fichier' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('savon-noir.ts');
  const source = await text(await download.createReadStream());
  expect(source).toContain("promises: ['Sans huile de palme', 'Fait à Marseille']");
  await ready.getByRole('tab', { name: 'Fichier' }).click();
  expect(await ready.getByRole('tabpanel').textContent()).toBe(source);
  // A later change of the form removes the request, which is no longer about these fields.
  await page.getByLabel('Nom', { exact: true }).fill('Savon');
  await ready.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Revenir aux produits' }).click();
  await page.getByText('Un produit donne sa marque').waitFor();

  await page.goto('/audit');
  await page.getByText('a proposé le produit').first().waitFor();
});

it('a field changed while the answer is awaited shows no request, and keeps the focus', async () => {
  const page = await visit(await founder(), '/produits/proposer');
  await page.getByLabel('Identifiant').fill('savon-noir');
  const name = page.getByLabel('Nom', { exact: true });
  await name.fill('Savon');
  const { promise: typed, resolve: letGo } = Promise.withResolvers<void>();
  await page.route('**/produits/proposer*', async (route) => {
    if (route.request().method() === 'POST') await typed;
    await route.continue();
  });
  const send = page.getByRole('button', { name: 'Préparer la demande' });
  await send.click();
  await name.fill('Savon noir');
  letGo();
  // The answer has arrived once the button is enabled again.
  await expect.poll(() => send.getAttribute('aria-disabled')).toBe(null);
  expect(await page.locator('[data-ready-request]').count()).toBe(0);
  expect(await name.evaluate((one) => one === document.activeElement)).toBe(true);
  // Sent again, the request contains the new name.
  await send.click();
  await expect.poll(() => page.locator('[data-ready-request]').textContent()).toContain('Savon noir');
});

it('a proposal that was begun is there again after another page, and begun anew by one press', async () => {
  const seat = await founder();
  const page = await visit(seat, '/produits/proposer');
  const promises = page.getByLabel('Promesses');
  await promises.fill('Sans huile de palme');
  await page.getByRole('link', { name: 'Revenir aux produits' }).click();
  await page.getByRole('link', { name: 'Proposer un produit' }).click();
  await page.getByText('Voici ce que vous aviez écrit ici sans l’envoyer.').waitFor();
  expect(await promises.inputValue()).toBe('Sans huile de palme');
  await keepUndos(page);
  await page.getByRole('button', { name: 'Repartir de zéro' }).click();
  expect(await promises.inputValue()).toBe('');
  // Restores the text; what was typed since is then set aside.
  const takeBack = async () => {
    const button = await page.getByRole('button', { name: 'Reprendre mon texte' }).elementHandle();
    await button?.click();
    await button?.waitForElementState('hidden');
  };
  await promises.fill('Fait à Marseille');
  await takeBack();
  expect(await promises.inputValue()).toBe('Sans huile de palme');
  await takeBack();
  expect(await promises.inputValue()).toBe('Fait à Marseille');
  await page.getByRole('button', { name: 'Repartir de zéro' }).click();
  expect(await promises.inputValue()).toBe('');
  await page.reload();
  expect(await promises.inputValue()).toBe('');
  expect(await page.getByRole('button', { name: 'Repartir de zéro' }).count()).toBe(0);
});

it('a member is not offered it, and its page says who can', async () => {
  const seat = await founder();
  const member = await scenes().colleague(seat, ['brain.write', 'generate']);
  const page = await visit(member, '/produits');
  await page.getByText('Un fondateur peut préparer cette demande.').waitFor();
  expect(await page.getByRole('link', { name: /^Proposer/ }).count()).toBe(0);
  await page.goto('/produits/proposer');
  await page.getByText('Vous ne pouvez pas proposer un produit').waitFor();
  await page.goto('/produits/proposer?produit=lumen-bougies');
  expect(await page.getByRole('button', { name: 'Préparer la demande' }).count()).toBe(0);
});
