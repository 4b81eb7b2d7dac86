import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { seated, visit } from '../setup/brain-page.ts';
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

/** Holds Next's wait before React, which `paintFirst` sets, until the test lets go. */
function holdReact() {
  const page = globalThis as { react?: PromiseWithResolvers<void>; isAsked?: boolean };
  page.react = Promise.withResolvers();
  Object.defineProperty(globalThis, '__next_s', {
    set(given: { reduce: () => Promise<void> }) {
      const held = () => {
        page.isAsked = true;
        return Promise.all([given.reduce(), page.react?.promise]).then(() => undefined);
      };
      Object.defineProperty(globalThis, '__next_s', { value: { ...given, reduce: held } });
    },
    configurable: true,
  });
}

describe('a first visit', () => {
  it('has React started by Next only once the page says that it is drawn', async () => {
    const page = await seated(browser, await scenes.seat());
    await page.addInitScript(holdReact);
    // Not by the page's own `goto`, which waits for React.
    await page.mainFrame().goto('/espaces');
    await page.waitForFunction(() => 'isAsked' in globalThis);
    const hasReact = () =>
      page.evaluate(() => Object.keys(document).some((key) => key.startsWith('__reactContainer')));
    await page.waitForTimeout(1_000);
    expect(await hasReact()).toBe(false);
    await page.evaluate(() => (globalThis as { react?: PromiseWithResolvers<void> }).react?.resolve());
    await expect.poll(hasReact).toBe(true);
  });
});

describe('a long page', () => {
  it('has of results and of a context more than a screen holds in its document; the rest follows, whole', async () => {
    const seat = await scenes.seat();
    const spaceId = await scenes.space(seat, 'Longue');
    const titles = Array.from({ length: 25 }, (_, at) => `Lampe de Noël ${at + 1}`);
    const body = `La lampe éclaire.\n\n${'Une phrase de plus, à lire. '.repeat(30)}`;
    for (const title of titles) await scenes.memory(seat, spaceId, { title, body });
    const page = await seated(browser, seat);
    const documentOf = async (path: string) => (await (await page.goto(path))?.text()) ?? '';
    const found = await documentOf(`/recherche?q=lampe&espace=${spaceId}`);
    expect(found.match(/<li class="hit"/g)).toHaveLength(20);
    await expect.poll(() => page.locator('.hit').count()).toBe(25);
    const html = await documentOf(`/contexte?espace=${spaceId}`);
    const drawn = /id="texte-du-contexte"[^>]*>(.*?)<\/pre>/s.exec(html)?.[1]?.replace(/<[^>]*>/g, '') ?? '';
    const text = page.locator('#texte-du-contexte');
    const { context } = await (await page.request.get(`/api/brain/spaces/${spaceId}/context`)).json();
    expect(context.length).toBeGreaterThan(12_000);
    await expect.poll(() => text.textContent()).toBe(context);
    expect(drawn.length).toBeGreaterThan(6_000);
    expect(drawn.length).toBeLessThan(9_000);
    browser.forgetErrors();
  });
});

describe('the breadcrumb', () => {
  it('drops the name of a Space on the next page, even if it is that of its section', async () => {
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
  it('shows a skeleton when it loads late, and replaces it once it is loaded', async () => {
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

  it('is dropped when another page is chosen while it loads', async () => {
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

  it('shows a skeleton after « back » too, then the page that was left', async () => {
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

  it('hides the panel beside the former page, whose shortcuts do nothing meanwhile', async () => {
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

  it('ignores the journal’s undo key while it loads; the keys of every page still work', async () => {
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

  it('that was deleted meanwhile says so in its place', async () => {
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
