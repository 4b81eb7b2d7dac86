import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import type { Seat } from '../../setup/scenes/brain.ts';
import { generate, IMAGE } from '../../setup/scenes/studio.ts';
import { composed, useStudio } from '../../setup/scenes/use-studio.ts';

const { browser, visit, founder } = useStudio();
const DESKTOP = { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' } as const;
const PHONE = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
  reducedMotion: 'reduce',
} as const;

const keptOf = (id: string) => [
  `[data-result="${id}"]`,
  '[data-live]',
  '[data-picture]',
  'aside[aria-label="Aperçu"]',
];

/** Where elements lie in the page, whatever is scrolled. */
function places(page: Page, selectors: readonly string[]): Promise<Record<string, number[]>> {
  return page.evaluate(
    (wanted) =>
      Object.fromEntries(
        wanted.map((selector) => {
          const box = document.querySelector(selector)?.getBoundingClientRect();
          return [selector, box ? [box.left, box.top + scrollY].map((side) => Math.round(side)) : []];
        }),
      ),
    selectors,
  );
}

/** Requests that leave the page stop half-way, until they are let through. */
async function heldBack(page: Page): Promise<() => void> {
  let open = () => {};
  const opened = new Promise<void>((go) => {
    open = go;
  });
  await page.route(/\/api\/generations(\/variants)?$/, async (route) => {
    await opened;
    await route.continue();
  });
  return () => open();
}

async function ask(page: Page, variants: '1' | '4'): Promise<void> {
  await page.getByLabel('Demande', { exact: true }).fill('Une bougie qui ne bouge pas');
  await page.locator(`input[name=variants][value="${variants}"]`).check();
  await page.getByRole('button', { name: /^Générer.* · retient 0,/ }).click();
  await page.locator('[data-sent="sending"]').getByText('La demande part').waitFor();
}

describe('a result that arrives moves nothing', () => {
  it.each([
    ['on a wide screen', DESKTOP],
    ['on a phone', PHONE],
  ] as const)(
    '%s: neither the last results, nor the large tile, nor what lies under it',
    async (_, screen) => {
      const seat = await founder();
      const id = await generate(browser.app, seat, IMAGE);
      const page = await visit(seat, '/creer?type=image', screen);
      await composed(page).waitFor();
      const open = await heldBack(page);
      await ask(page, '1');
      const before = await places(page, keptOf(id));
      open();
      const tile = page.locator('[data-sent="done"]');
      await tile.getByRole('button', { name: 'Approuver et garder' }).waitFor();
      const picture = tile.locator('[data-picture] img');
      await expect
        .poll(() => picture.evaluate((one: HTMLImageElement) => one.naturalWidth))
        .toBeGreaterThan(0);
      await page.getByLabel('Aperçu').and(page.locator('[aria-busy=false]')).waitFor();
      const after = await places(page, keptOf(id));
      expect(after).toEqual(before);
      expect(Object.values(after).every((sides) => sides.length === 2)).toBe(true);
    },
  );

  it('several neither: one of the last results that is held down meanwhile is the one that is shown', async () => {
    const seat = await founder();
    const id = await generate(browser.app, seat, IMAGE);
    const page = await visit(seat, '/creer?type=image', DESKTOP);
    await composed(page).waitFor();
    const open = await heldBack(page);
    await ask(page, '4');
    const before = await places(page, [`[data-result="${id}"]`, '[data-picture]']);
    await page.locator(`[data-result="${id}"]`).hover();
    await page.mouse.down();
    open();
    await expect.poll(() => page.locator('[data-live] [data-variant="done"]').count()).toBe(4);
    expect(await places(page, [`[data-result="${id}"]`, '[data-picture]'])).toEqual(before);
    await page.mouse.up();
    await page.locator('[data-live]').getByRole('heading', { name: IMAGE.brief }).waitFor();
  });
});

describe('a part whose script is still on its way', () => {
  /** Goes to a page whose later scripts are held back. */
  async function arrive(seat: Seat, path: string, alive: string) {
    const page = await browser.newPage(DESKTOP);
    await page.context().addCookies([{ ...seat.cookie, url: browser.app.baseUrl }]);
    const html = await (await page.context().request.get(path)).text();
    const named = new Set([...html.matchAll(/src="([^"?]+\.js)/g)].map((match) => match[1]));
    let open = () => {};
    const opened = new Promise<void>((go) => {
      open = go;
    });
    let held = 0;
    await page.route('**/_next/static/chunks/**', async (route) => {
      if (!named.has(new URL(route.request().url()).pathname)) {
        held += 1;
        await opened;
      }
      await route.continue();
    });
    const arriving = page.goto(path);
    await page.locator(alive).waitFor();
    await expect.poll(() => held).toBeGreaterThan(0);
    return { page, arriving, open: () => open() };
  }

  it.each([
    ['/creer?type=image', 'form[data-composer][data-ready]', ['Produit', 'Format', 'Graine']],
    ['/journal?vue=table', '[data-late] table', ['Type', 'Vérification']],
  ])(
    '%s stays as the server drew it, takes no press, and nothing moves when it comes alive',
    async (path, alive, labels) => {
      const seat = await founder();
      await generate(browser.app, seat, IMAGE);
      const { page, arriving, open } = await arrive(seat, path, alive);
      // What the page itself does as it comes alive has been done, and drawn.
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 100))));
      expect(await page.locator('[data-late][inert]').count()).toBeGreaterThan(1);
      expect(await page.locator('main .skeleton').count()).toBe(0);
      const tops = () =>
        Promise.all(
          labels.map(
            async (label) =>
              (await page.getByLabel(label, { exact: true }).first().boundingBox())?.y ?? 'none',
          ),
        );
      const before = await tops();
      expect(before).not.toContain('none');
      open();
      await arriving;
      expect(await page.locator('[data-late][inert]').count()).toBe(0);
      expect(await tops()).toEqual(before);
    },
  );
});
