import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { visit } from '../setup/brain-page.ts';
import { useBrowser } from '../setup/browser.ts';
import { faults } from '../setup/faults.ts';
import { untilQuiet } from '../setup/quiet.ts';
import { openScenes, type Scenes } from '../setup/scenes/brain.ts';

const browser = useBrowser();
let scenes: Scenes;
beforeAll(async () => {
  scenes = await openScenes(inject('app'));
});
afterAll(() => scenes?.close());

const rail = (page: Page, label: string) =>
  page
    .getByRole('navigation', { name: 'Navigation principale' })
    .first()
    .getByRole('link', { name: label, exact: true });
const skeleton = (page: Page) => page.locator('[data-page-skeleton]');
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

/** Withholds the router's requests for this path until `letGo` is called. `asked` resolves at the first request. */
async function hold(page: Page, path: string): Promise<{ asked: Promise<void>; letGo: () => void }> {
  const [asked, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(
    (url) => url.pathname === path && url.searchParams.has('_rsc'),
    async (route) => {
      asked.resolve();
      await go.promise;
      await route.continue().catch(() => {});
    },
  );
  return { asked: asked.promise, letGo: go.resolve };
}

describe('the breadcrumb', () => {
  it('keeps nothing of a Space that has the name of its section', async () => {
    const seat = await scenes.seat();
    const page = await visit(browser, seat, `/espaces/${await scenes.space(seat, 'Espaces')}`);
    const crumbs = page.getByRole('navigation', { name: 'Fil d’Ariane' });
    await expect.poll(() => crumbs.getByText('Espaces', { exact: true }).count()).toBe(2);
    await rail(page, 'Journal').click();
    await title(page, 'Journal').waitFor();
    await crumbs.getByText('Journal', { exact: true }).waitFor();
    await expect.poll(() => crumbs.getByText('Espaces', { exact: true }).count()).toBe(0);
  });
});

describe('a page on its way', () => {
  it('leaves its place to its skeleton when it is late, and takes it back once it is there', async () => {
    const page = await visit(browser, await scenes.seat(), '/espaces');
    const wallet = await hold(page, '/portefeuille');
    await rail(page, 'Portefeuille').click();
    await wallet.asked;
    await skeleton(page).waitFor();
    expect(await title(page, 'Espaces').isVisible()).toBe(false);
    expect(await skeleton(page).getByText('Chargement…').count()).toBe(1);
    expect(await faults(page, { impacts: 'all' })).toEqual([]);
    wallet.letGo();
    await title(page, 'Portefeuille').waitFor();
    await skeleton(page).waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/portefeuille');
  });

  it('gives way to where one goes meanwhile', async () => {
    const page = await visit(browser, await scenes.seat(), '/espaces');
    const wallet = await hold(page, '/portefeuille');
    await rail(page, 'Portefeuille').click();
    await wallet.asked;
    await skeleton(page).waitFor();
    await rail(page, 'Journal').click();
    await title(page, 'Journal').waitFor();
    await skeleton(page).waitFor({ state: 'detached' });
    wallet.letGo();
    await untilQuiet(page);
    expect(await title(page, 'Journal').isVisible()).toBe(true);
  });

  it('is late for a « back » too, and what one comes back to is there after', async () => {
    const page = await visit(browser, await scenes.seat(), '/espaces');
    await rail(page, 'Équipe').click();
    await title(page, 'Équipe').waitFor();
    await page.reload();
    await untilQuiet(page);
    const spaces = await hold(page, '/espaces');
    await page.evaluate(() => history.back());
    await spaces.asked;
    await skeleton(page).waitFor();
    spaces.letGo();
    await title(page, 'Espaces').waitFor();
    await skeleton(page).waitFor({ state: 'detached' });
  });

  it('hides what stood beside the page at hand, whose keys are silent', async () => {
    const seat = await scenes.seat();
    const spaceId = await scenes.space(seat, 'Maison Aubry');
    const alpha = await scenes.memory(seat, spaceId, { title: 'Alpha' });
    await scenes.memory(seat, spaceId, { title: 'Bêta' });
    const page = await visit(browser, seat, `/espaces/${spaceId}?memoire=${alpha}`, {
      viewport: { width: 1440, height: 900 },
    });
    const memory = page.getByRole('dialog', { name: 'Alpha' });
    await memory.getByRole('button', { name: 'Mémoire suivante' }).waitFor();
    const wallet = await hold(page, '/portefeuille');
    await rail(page, 'Portefeuille').click();
    await wallet.asked;
    await skeleton(page).waitFor();
    expect(await memory.isVisible()).toBe(false);
    expect((await skeleton(page).boundingBox())?.width).toBeGreaterThan(1_000);
    await page.keyboard.press('j');
    expect(await page.evaluate(() => window.location.search)).toBe(`?memoire=${alpha}`);
    wallet.letGo();
    await title(page, 'Portefeuille').waitFor();
    await expect.poll(() => page.locator('[data-panel]').count()).toBe(0);
  });

  it('is no place to take a decision of the journal back, while the keys of every page answer', async () => {
    const seat = await scenes.seat();
    await scenes.journal(seat, 2);
    const page = await visit(browser, seat, '/journal');
    const wallet = await hold(page, '/portefeuille');
    await rail(page, 'Portefeuille').click();
    await wallet.asked;
    await skeleton(page).waitFor();
    await page.keyboard.press('u');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Raccourcis clavier' }).waitFor();
    expect(await page.getByText('Aucune décision à annuler').count()).toBe(0);
    wallet.letGo();
  });

  it('that does not exist any more says so where it would stand', async () => {
    const seat = await scenes.seat();
    const spaceId = await scenes.space(seat, 'Effacé bientôt');
    const page = await visit(browser, seat, '/espaces');
    const space = await hold(page, `/espaces/${spaceId}`);
    await seat.ctx.db.space.delete({ where: { id: spaceId } });
    await page.getByRole('link', { name: 'Effacé bientôt' }).first().click();
    await space.asked;
    await skeleton(page).waitFor();
    space.letGo();
    await title(page, 'Cette page n’existe pas, ou n’existe plus').waitFor();
    await skeleton(page).waitFor({ state: 'detached' });
  });
});
