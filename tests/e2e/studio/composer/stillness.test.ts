import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
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

const keptOf = (id: string) => [`[data-result="${id}"]`, '[data-live]', '[data-picture]'];

/** The positions of elements in the page, in pixels, independent of scrolling. */
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

/** Withholds the requests for generations until the returned function is called. */
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
  ] as const)('%s: neither the last results, nor the large tile, nor its picture', async (_, screen) => {
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
    await expect.poll(() => picture.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0);
    await page.getByLabel('Aperçu').and(page.locator('[aria-busy=false]')).waitFor();
    const after = await places(page, keptOf(id));
    expect(after).toEqual(before);
    expect(Object.values(after).every((sides) => sides.length === 2)).toBe(true);
  });

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
