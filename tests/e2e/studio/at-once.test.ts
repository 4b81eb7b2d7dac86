import { expect, it } from 'vitest';
import { generate, IMAGE } from '../setup/scenes/studio.ts';
import { composed, useStudio } from '../setup/scenes/use-studio.ts';

// Presses and input right after React has rendered a page: an effect that runs afterwards must not undo them.
const { browser, visit, founder } = useStudio();
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

it('what is typed in the very moment in which « Créer » stands stays', async () => {
  const page = await visit(await founder(), '/journal');
  await page.evaluate(() => {
    const type = new MutationObserver(() => {
      const field = document.querySelector<HTMLTextAreaElement>('form[data-composer] textarea');
      if (!field) return;
      type.disconnect();
      Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field, 'Une bougie');
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
    type.observe(document.body, { subtree: true, childList: true });
  });
  await page.getByRole('navigation').getByRole('link', { name: 'Créer', exact: true }).first().click();
  await composed(page).waitFor();
  await page.getByRole('button', { name: /^Générer · retient 0,/ }).waitFor();
  expect(await page.getByLabel('Demande', { exact: true }).inputValue()).toBe('Une bougie');
});

it('on a phone, the sheet that is opened in the very moment in which a page stands stays open', async () => {
  const page = await visit(await founder(), '/journal', PHONE);
  await page.evaluate(() => {
    const press = new MutationObserver(() => {
      if (!document.querySelector('form[data-composer]')) return;
      press.disconnect();
      document.querySelector<HTMLElement>('button.phone-item')?.click();
    });
    press.observe(document.body, { subtree: true, childList: true });
  });
  await page.locator('a.phone-item[href="/creer"]').click();
  await page.locator('[data-panel]').getByRole('link', { name: 'Gabarits' }).waitFor();
});

it('a filter that is pressed in the very moment in which the one before it arrives is not forgotten by the next', async () => {
  const seat = await founder();
  await generate(browser.app, seat, IMAGE);
  const page = await visit(seat, '/journal');
  await page.locator('[data-late]:not([inert]) nav[aria-label="État"]').waitFor();
  await page.evaluate(() => {
    const chip = (row: string) => document.querySelector<HTMLElement>(`nav[aria-label="${row}"] a`);
    const press = new MutationObserver(() => {
      if (window.location.search !== '?kind=image') return;
      press.disconnect();
      chip('État')?.click();
      setTimeout(() => chip('Vérification')?.click());
    });
    press.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  });
  await page.getByRole('link', { name: 'Image', exact: true }).click();
  await expect
    .poll(() => [...new URL(page.url()).searchParams.keys()].sort())
    .toEqual(['kind', 'review', 'status']);
});

it('a search that is typed in the very moment in which the filters are taken away stays', async () => {
  const seat = await founder();
  await generate(browser.app, seat, { ...IMAGE, brief: 'Vase bleu' });
  const page = await visit(seat, '/journal?q=vase');
  const field = page.getByRole('searchbox', { name: 'Chercher dans les demandes' });
  await page.locator('[data-late]:not([inert]) [data-search]').waitFor();
  await page.evaluate(() => {
    const type = new MutationObserver(() => {
      const search = document.querySelector<HTMLInputElement>('[data-search]');
      if (!search || window.location.search !== '') return;
      type.disconnect();
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(search, 'bleu');
      search.dispatchEvent(new Event('input', { bubbles: true }));
    });
    type.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  });
  await page.getByRole('navigation').getByRole('link', { name: 'Journal', exact: true }).first().click();
  await expect.poll(() => new URL(page.url()).search).toBe('?q=bleu');
  expect(await field.inputValue()).toBe('bleu');
});

it('what a template’s form kept is still there when another field is typed in the very moment in which it stands', async () => {
  const page = await visit(await founder(), '/modeles/quote-card');
  const quote = page.getByLabel('Citation', { exact: false }).first();
  await quote.fill('La cire refroidit lentement.');
  await page.getByText('Aperçu à jour').waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Gabarits', exact: true }).first().click();
  const card = page.locator('main a[href="/modeles/quote-card"]');
  await card.waitFor();
  await page.evaluate(() => {
    const type = new MutationObserver(() => {
      const label = [...document.querySelectorAll('main label')].find((one) => one.textContent === 'Auteur');
      const field = document.getElementById(label?.getAttribute('for') ?? '');
      if (!field) return;
      type.disconnect();
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, 'Agnès');
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
    type.observe(document.body, { subtree: true, childList: true });
  });
  await card.click();
  await expect.poll(() => page.getByLabel('Auteur', { exact: true }).inputValue()).toBe('Agnès');
  expect(await quote.inputValue()).toBe('La cire refroidit lentement.');
});
