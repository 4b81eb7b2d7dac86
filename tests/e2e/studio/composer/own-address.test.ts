import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { holdReadings, isFirst, markDocument } from '../../setup/scenes/readings.ts';
import { generate, IMAGE } from '../../setup/scenes/studio.ts';
import { composed, useStudio } from '../../setup/scenes/use-studio.ts';

const { browser, visit, founder } = useStudio();
const kind = (page: Page, value: string) => page.locator(`input[name=kind][value=${value}]`);
const demand = (page: Page) => page.getByLabel('Demande', { exact: true });
const result = (page: Page, id: string) => page.locator(`[data-result="${id}"]`);
const query = (page: Page) => page.evaluate(() => window.location.search);

/** Makes the page refresh, as when the network comes back, and withholds the answer until `letGo` is called. */
async function readAgain(page: Page) {
  const readings = await holdReadings(page, /\/creer\?/);
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect.poll(() => readings.asked).toBe(1);
  return readings;
}

async function opened() {
  const seat = await founder();
  // Without `type`, so that the composer has written its own address, which differs from the rendered one.
  const page = await visit(seat, '/creer');
  await composed(page).waitFor();
  await expect.poll(() => query(page)).toBe('?type=image');
  await markDocument(page);
  return { seat, page };
}

describe('while the page is read again', () => {
  it('a kind that is chosen stays, and the document; what changed is read once', async () => {
    const { seat, page } = await opened();
    await demand(page).fill('À garder');
    const readings = await readAgain(page);
    await kind(page, 'voice').check();
    await expect.poll(() => query(page)).toBe('?type=voice');
    await kind(page, 'video').check();
    await expect.poll(() => query(page)).toBe('?type=video');
    const id = await generate(browser.app, seat, IMAGE);
    readings.letGo();
    await result(page, id).waitFor();
    expect({ isFirst: await isFirst(page), asked: readings.asked }).toEqual({ isFirst: true, asked: 1 });
    expect(await kind(page, 'video').isChecked()).toBe(true);
    expect(await query(page)).toBe('?type=video');
    await page.goBack();
    await expect.poll(() => kind(page, 'voice').isChecked()).toBe(true);
    await page.goBack();
    await expect.poll(() => kind(page, 'image').isChecked()).toBe(true);
    expect(await demand(page).inputValue()).toBe('À garder');
    expect({ isFirst: await isFirst(page), asked: readings.asked }).toEqual({ isFirst: true, asked: 1 });
  });

  it('« back » leads to the kind before, and « forward » to the one after, in the same document', async () => {
    const { seat, page } = await opened();
    await kind(page, 'voice').check();
    await expect.poll(() => query(page)).toBe('?type=voice');
    const readings = await readAgain(page);
    await page.goBack();
    await expect.poll(() => kind(page, 'image').isChecked()).toBe(true);
    const id = await generate(browser.app, seat, IMAGE);
    readings.letGo();
    await result(page, id).waitFor();
    expect({ isFirst: await isFirst(page), asked: readings.asked }).toEqual({ isFirst: true, asked: 1 });
    expect(await kind(page, 'image').isChecked()).toBe(true);
    expect(await query(page)).toBe('?type=image');
    await page.goForward();
    await expect.poll(() => kind(page, 'voice').isChecked()).toBe(true);
    await page.reload();
    await composed(page).waitFor();
    expect(await kind(page, 'voice').isChecked()).toBe(true);
    expect(await query(page)).toBe('?type=voice');
  });

  it('what a link filled in is not filled in again by a refresh or « back »; the same link pressed again fills it in', async () => {
    const seat = await founder();
    const id = await generate(browser.app, seat, IMAGE);
    const page = await visit(seat, `/creer?type=image&resultat=${id}`);
    await composed(page).waitFor();
    await markDocument(page);
    const column = page.getByRole('region', { name: 'Résultat' });
    const variant = column.getByRole('link', { name: 'En faire une variante' });
    await variant.click();
    await page.getByText('est une variante d’une ligne du journal').waitFor();
    await expect.poll(() => query(page)).toBe(`?type=image&resultat=${id}`);
    await demand(page).fill('La même, de nuit');
    const readings = await readAgain(page);
    const other = await generate(browser.app, seat, IMAGE);
    readings.letGo();
    await result(page, other).waitFor();
    expect({ isFirst: await isFirst(page), asked: readings.asked }).toEqual({ isFirst: true, asked: 1 });
    expect(await demand(page).inputValue()).toBe('La même, de nuit');
    expect(await query(page)).toBe(`?type=image&resultat=${id}`);
    await page.getByRole('link', { name: 'Journal', exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Journal' }).waitFor();
    await page.goBack();
    await composed(page).waitFor();
    await expect.poll(() => demand(page).inputValue()).toBe('La même, de nuit');
    expect(await query(page)).toBe(`?type=image&resultat=${id}`);
    await variant.click();
    await expect.poll(() => demand(page).inputValue()).toBe('');
    expect(await isFirst(page)).toBe(true);
  });

  it('a kind that is chosen after a link to the address at hand was followed stays, and what is typed', async () => {
    const { seat, page } = await opened();
    await demand(page).fill('À garder');
    const followed = page.waitForResponse(/\/creer\?type=image/);
    await page.keyboard.press('Control+k');
    await page.locator('[cmdk-input]').fill('Créer une image');
    await page.locator('[cmdk-item]').filter({ hasText: 'Créer une image' }).first().click();
    await followed;
    await page.locator('[data-panel]').waitFor({ state: 'detached' });
    expect(await query(page)).toBe('?type=image');
    await kind(page, 'vector').check();
    await expect.poll(() => query(page)).toBe('?type=vector');
    const readings = await readAgain(page);
    const id = await generate(browser.app, seat, IMAGE);
    readings.letGo();
    await result(page, id).waitFor();
    expect(await kind(page, 'vector').isChecked()).toBe(true);
    expect(await query(page)).toBe('?type=vector');
    expect(await demand(page).inputValue()).toBe('À garder');
    expect(await isFirst(page)).toBe(true);
  });

  it('a row of the journal that was taken up keeps what was typed since, of the kind that was chosen since', async () => {
    const seat = await founder();
    const id = await generate(browser.app, seat, IMAGE);
    const page = await visit(seat, `/journal/${id}`);
    await page.getByRole('link', { name: 'Refaire', exact: true }).click();
    await composed(page).waitFor();
    await expect.poll(() => demand(page).inputValue()).toBe(IMAGE.brief);
    await expect.poll(() => query(page)).toBe('?type=image');
    await markDocument(page);
    await demand(page).fill('Autrement');
    const readings = await readAgain(page);
    await kind(page, 'vector').check();
    await expect.poll(() => query(page)).toBe('?type=vector');
    const other = await generate(browser.app, seat, IMAGE);
    readings.letGo();
    await result(page, other).waitFor();
    expect({ isFirst: await isFirst(page), asked: readings.asked }).toEqual({ isFirst: true, asked: 1 });
    expect(await kind(page, 'vector').isChecked()).toBe(true);
    expect(await demand(page).inputValue()).toBe('Autrement');
  });
});

it('a template come back to from the composer keeps the format that was chosen', async () => {
  const seat = await founder();
  const page = await visit(seat, '/modeles/quote-card?produit=libre');
  await page.getByText('Aperçu à jour').waitFor();
  await markDocument(page);
  const format = page.locator('input[name=size]').nth(1);
  await format.check();
  const size = await format.getAttribute('value');
  await expect.poll(() => query(page)).toBe(`?taille=${size}&produit=libre`);
  await page.getByRole('link', { name: 'Continuer dans la composition' }).click();
  await composed(page).waitFor();
  await expect.poll(() => query(page)).toBe('?type=render');
  await page.goBack();
  await expect.poll(() => format.isChecked()).toBe(true);
  expect(await query(page)).toBe(`?taille=${size}&produit=libre`);
  expect(await isFirst(page)).toBe(true);
});
